//! What holds for all operations.

mod bodies;
mod echoes;
mod violations;
