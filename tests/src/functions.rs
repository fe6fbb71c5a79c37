//! The functions behind the gateway, by the names of their binaries.

use gateway::{App, Operation};
use marquee::serve::Function;
use scenarios::{Campaign, Event};

/// Each function that serves operations of the interface, and the name of its binary, which is also that of its
/// folder in events/.
pub const FUNCTIONS: [(&str, Function); 7] = [
    ("campaigns", Function::Campaigns),
    ("events", Function::Events),
    ("places", Function::Places),
    ("audiences", Function::Audiences),
    ("inventory", Function::Inventory),
    ("tiles", Function::Tiles),
    ("account", Function::Account),
];

/// The function that serves pages, which are no operations.
const PORTAL: (&str, Function) = ("portal", Function::Portal);

/// Returns the name of a function's binary.
pub fn binary_of(function: Function) -> &'static str {
    let found = FUNCTIONS.iter().chain([&PORTAL]).find(|(_, known)| *known == function);
    found.map(|(binary, _)| *binary).unwrap_or_else(|| panic!("{function:?} is not listed"))
}

/// Returns the function behind a binary.
pub fn function_of(binary: &str) -> Function {
    let found = FUNCTIONS.iter().chain([&PORTAL]).find(|(known, _)| *known == binary);
    found.map(|(_, function)| *function).unwrap_or_else(|| panic!("{binary} is not listed"))
}

/// Lists what a function's router serves.
pub fn served_by(app: &App, function: Function) -> Vec<Operation> {
    match function {
        Function::Campaigns => scenarios::routes::<Campaign>(app).operations().to_vec(),
        Function::Events => scenarios::routes::<Event>(app).operations().to_vec(),
        Function::Places => places::routes(app).operations().to_vec(),
        Function::Audiences => audiences::routes(app).operations().to_vec(),
        Function::Inventory => inventory::routes(app).operations().to_vec(),
        Function::Tiles => tiles::routes(app).operations().to_vec(),
        Function::Portal => Vec::new(),
        Function::Account => account::routes(app).operations().to_vec(),
    }
}
