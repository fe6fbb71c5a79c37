//! Converts the circles and rectangles in requests to search areas.

use dataset::{Circle, Rectangle};
use gateway::{GeoBoundingBox, GeoDistance};

pub fn circle(circle: GeoDistance) -> Circle {
    Circle { center: circle.center().into(), km: circle.kilometers() }
}

pub fn rectangle(rectangle: GeoBoundingBox) -> Rectangle {
    let [north, south, west, east] = rectangle.sides();
    Rectangle { north, south, west, east }
}
