//! The modules of a crate, and what the code of each names of the others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Item, UseTree, Visibility};

/// Where a module stands in its crate: the names from the root on, of which the root has none.
pub(super) type ModulePath = Vec<String>;

/// A crate's modules as its files have them, without those that are compiled for tests alone.
#[derive(Default)]
pub(super) struct Modules(BTreeMap<ModulePath, Module>);

#[derive(Default)]
struct Module {
    /// What a `use` binds, by the name that it binds it to.
    bound: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
    /// The paths that the code names, and those of each private `use`: the compiler refuses one that is idle.
    named: BTreeSet<Vec<String>>,
}

impl Modules {
    pub(super) fn of_crate(root: &Path) -> Self {
        let mut modules = Self::default();
        modules.read(root, root.parent().expect("a folder"), Vec::new());
        modules
    }

    /// Returns each pair of modules of which the first names what the second defines.
    pub(super) fn arrows(&self) -> BTreeSet<(ModulePath, ModulePath)> {
        let mut arrows = BTreeSet::new();
        for (path, module) in &self.0 {
            for named in &module.named {
                if let Some(target) = self.resolve(path, named)
                    && target != *path
                {
                    arrows.insert((path.clone(), target));
                }
            }
        }
        arrows
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    fn read(&mut self, file: &Path, folder: &Path, path: ModulePath) {
        let source = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
        let parsed = syn::parse_file(&source).unwrap_or_else(|error| panic!("{file:?}: {error}"));
        self.add(parsed.items, folder, path);
    }

    fn add(&mut self, items: Vec<Item>, folder: &Path, path: ModulePath) {
        let mut module = Module::default();
        for item in items.into_iter().filter(|item| !is_of_tests(attributes(item))) {
            match item {
                Item::Use(item) => module.bind(&item.tree, &item.vis),
                Item::Mod(item) => {
                    let name = item.ident.to_string();
                    let below = folder.join(&name);
                    let path = [path.as_slice(), std::slice::from_ref(&name)].concat();
                    match item.content {
                        Some((_, items)) => self.add(items, &below, path),
                        None if below.join("mod.rs").exists() => {
                            self.read(&below.join("mod.rs"), &below, path);
                        }
                        None => self.read(&folder.join(format!("{name}.rs")), &below, path),
                    }
                }
                item => module.note(item.into_token_stream()),
            }
        }
        self.0.insert(path, module);
    }

    /// Finds the module that defines what a path in the code names; `None` for what another crate defines.
    fn resolve(&self, from: &[String], named: &[String]) -> Option<ModulePath> {
        let (first, rest) = named.split_first()?;
        match self.0[from].bound.get(first) {
            Some(target) => self.resolve_use(from, &[target.as_slice(), rest].concat()),
            None => self.resolve_use(from, named),
        }
    }

    /// Finds the module that defines what a `use` names.
    fn resolve_use(&self, from: &[String], named: &[String]) -> Option<ModulePath> {
        let (first, rest) = named.split_first()?;
        let mut at = from.to_vec();
        match first.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => {
                at.pop();
            }
            child => {
                at.push(child.to_owned());
                if !self.0.contains_key(&at) {
                    return None;
                }
            }
        }
        for (index, name) in rest.iter().enumerate() {
            let below = [at.as_slice(), std::slice::from_ref(name)].concat();
            if name == "super" {
                at.pop();
            } else if self.0.contains_key(&below) {
                at = below;
            } else {
                let module = &self.0[&at];
                let through = module.bound.get(name).map(|target| [target, &rest[index + 1..]].concat());
                return match through {
                    Some(through) => self.resolve_use(&at, &through),
                    None => {
                        let through = module.globs.iter().find_map(|glob| self.exported(&at, glob, name));
                        Some(through.unwrap_or(at))
                    }
                };
            }
        }
        Some(at)
    }

    /// Finds the module that defines a name that a glob may bring.
    fn exported(&self, from: &[String], glob: &[String], name: &str) -> Option<ModulePath> {
        let module = self.resolve_use(from, glob)?;
        let target = self.0[&module].bound.get(name)?;
        self.resolve_use(&module, target)
    }
}

impl Module {
    fn bind(&mut self, tree: &UseTree, visibility: &Visibility) {
        let is_private = matches!(visibility, Visibility::Inherited);
        let mut bindings = Vec::new();
        flatten(tree, Vec::new(), &mut bindings);
        for (name, target) in bindings {
            if is_private {
                self.named.insert(target.clone());
            }
            match name {
                Some(name) => {
                    self.bound.insert(name, target);
                }
                None => self.globs.push(target),
            }
        }
    }

    /// Notes every path in the code. What follows a dot is a field or a method; what `pub` has in parentheses
    /// says who may know the item, not whom it knows.
    fn note(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut before = String::new();
        for token in tokens {
            match &token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => {
                    before.push(':');
                    continue;
                }
                TokenTree::Ident(ident) if before.ends_with("::") && !path.is_empty() => {
                    path.push(ident.to_string());
                }
                TokenTree::Ident(ident) => {
                    self.named.insert(std::mem::take(&mut path));
                    if before != "." {
                        path.push(ident.to_string());
                    }
                }
                TokenTree::Group(group) => {
                    if before != "pub" {
                        self.note(group.stream());
                    }
                    self.named.insert(std::mem::take(&mut path));
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.named.insert(std::mem::take(&mut path));
                }
            }
            before = token.to_string();
        }
        self.named.insert(path);
    }
}

/// Lists what a `use` binds: a name and its path, or no name for everything below the path.
fn flatten(tree: &UseTree, mut above: Vec<String>, found: &mut Vec<(Option<String>, Vec<String>)>) {
    match tree {
        UseTree::Path(tree) => {
            above.push(tree.ident.to_string());
            flatten(&tree.tree, above, found);
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, above.clone(), found);
            }
        }
        UseTree::Glob(_) => found.push((None, above)),
        UseTree::Name(tree) if tree.ident == "self" => found.push((above.last().cloned(), above)),
        UseTree::Name(tree) => {
            above.push(tree.ident.to_string());
            found.push((Some(tree.ident.to_string()), above));
        }
        UseTree::Rename(tree) => {
            above.push(tree.ident.to_string());
            found.push((Some(tree.rename.to_string()), above));
        }
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn is_of_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.to_token_stream().to_string().contains("cfg (test)"))
}
