//! The model's assumptions about each display environment.

use dataset::Environment;

/// Returns the distance from a display at which the density of its viewers has fallen to 1/e, in kilometers
/// (*λ*). All values are assumptions.
pub const fn reach_km(environment: Environment) -> f64 {
    match environment {
        Environment::Roadside => 12.0,
        Environment::Street => 5.0,
        Environment::Transit => 10.0,
        Environment::Indoor => 6.0,
    }
}

/// Returns the share of impressions that come from people who live too far away to be local viewers, from 0
/// to 1 (*ε*). All values are assumptions.
pub const fn elsewhere(environment: Environment) -> f64 {
    match environment {
        Environment::Roadside => 0.15,
        Environment::Street | Environment::Indoor => 0.2,
        Environment::Transit => 0.35,
    }
}
