// ZIP archives of uncompressed files. Excel workbooks are ZIP archives.

const TEXT = new TextEncoder();
/** The CRC-32 remainder of each byte value. */
const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/**
 * January 1, 1980, the earliest date that ZIP archives support. With a fixed date, the same content always
 * results in the same file.
 */
const DATE = 0x21;
/** The flag for names in UTF-8. */
const UTF_8 = 0x800;

/**
 * Creates an archive of text files.
 * @param {[string, string][]} files the name and the text of each file
 * @returns {Blob}
 */
export function zip(files) {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const directory = [];
  let offset = 0;
  for (const [name, text] of files) {
    const [path, content] = [TEXT.encode(name), TEXT.encode(text)];
    const facts = [
      [20, 2], [UTF_8, 2], [0, 2], [0, 2], [DATE, 2], [checksum(content), 4], [content.length, 4],
      [content.length, 4], [path.length, 2], [0, 2],
    ];
    const local = bytes([[0x04034b50, 4], ...facts]);
    parts.push(local, path, content);
    directory.push(bytes([[0x02014b50, 4], [20, 2], ...facts, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]));
    directory.push(path);
    offset += local.length + path.length + content.length;
  }
  const size = directory.reduce((total, { length }) => total + length, 0);
  const counts = [[files.length, 2], [files.length, 2]];
  const end = bytes([[0x06054b50, 4], [0, 2], [0, 2], ...counts, [size, 4], [offset, 4], [0, 2]]);
  return new Blob([...parts, ...directory, end]);
}

/**
 * @param {number[][]} fields each field's value and size in bytes; fields are written in little-endian order
 */
function bytes(fields) {
  return Uint8Array.from(fields.flatMap(([value, length]) =>
    Array.from({ length }, (_, n) => (value >>> (8 * n)) & 255)));
}

/** @param {Uint8Array} content */
function checksum(content) {
  let value = 0xffffffff;
  for (const byte of content) value = REMAINDERS[(value ^ byte) & 255] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
