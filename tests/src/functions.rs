//! The functions and the names of their binaries.

use gateway::{App, Operation};
use marquee::serve::Function;

/// The functions behind the API gateways. Each binary's sample events are in the folder of the same name in
/// events/.
pub const FUNCTIONS: [(&str, Function); 8] = [
    ("campaigns", Function::Campaigns),
    ("events", Function::Events),
    ("places", Function::Places),
    ("audiences", Function::Audiences),
    ("estimates", Function::Estimates),
    ("inventory", Function::Inventory),
    ("tiles", Function::Tiles),
    ("account", Function::Account),
];

/// The functions that serve no API operations: the portal and the MCP server.
const OTHERS: [(&str, Function); 2] = [("portal", Function::Portal), ("mcp", Function::Mcp)];

pub fn binary_of(function: Function) -> &'static str {
    let found = FUNCTIONS.iter().chain(&OTHERS).find(|(_, known)| *known == function);
    found.map(|(binary, _)| *binary).unwrap_or_else(|| panic!("{function:?} must be listed"))
}

pub fn function_of(binary: &str) -> Function {
    let found = FUNCTIONS.iter().chain(&OTHERS).find(|(known, _)| *known == binary);
    found.map(|(_, function)| *function).unwrap_or_else(|| panic!("{binary} must be listed"))
}

pub fn served_by(app: &App, function: Function) -> Vec<Operation> {
    match function {
        Function::Campaigns => scenarios::campaigns::routes(app).operations().to_vec(),
        Function::Events => scenarios::events::routes(app).operations().to_vec(),
        Function::Places => places::routes(app).operations().to_vec(),
        Function::Audiences => audiences::routes(app).operations().to_vec(),
        Function::Estimates => estimates::routes(app).operations().to_vec(),
        Function::Inventory => inventory::routes(app).operations().to_vec(),
        Function::Tiles => tiles::routes(app).operations().to_vec(),
        Function::Portal | Function::Mcp => Vec::new(),
        Function::Account => account::routes(app).operations().to_vec(),
    }
}
