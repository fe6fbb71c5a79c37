//! Holds the part of a layer to the parts that it was made of.

use super::layer_points::{KEYS, LayerPoints};
use super::source::LayerSource;
use crate::index::is_key_of;
use crate::release::{Folder, ReleaseError};

/// Checks that the part of a layer has each point of the release once, in its place, with the values that the
/// release has. What passes can be drawn.
///
/// # Errors
///
/// The first thing that is otherwise.
pub fn check(folder: &Folder, source: LayerSource<'_>) -> Result<(), ReleaseError> {
    let file = source.layer().part().file();
    let refuse =
        |section: &str, reason: String| Err(ReleaseError::inconsistent(file, format!("{section}: {reason}")));
    let points = LayerPoints::open(folder, source.layer())?;
    for (attribute, column) in &points.columns {
        column.check().map_err(|damage| damage.of(file, attribute.name))?;
    }
    let expected = source.points().count();
    if points.len() != expected {
        return refuse(KEYS, format!("has {} points; the release has {expected}", points.len()));
    }
    // As many points as there should be, each behind the one before it, are all of them.
    let mut before = None;
    for (point, key) in (0..).zip(points.keys.iter()) {
        let Some(item) = item_at(&points, point, key, source).filter(|item| before < Some((key, *item)))
        else {
            return refuse(KEYS, format!("the point {point} is not in its place"));
        };
        before = Some((key, item));
        let columns = points.columns.iter().zip(0..);
        let mut others = columns.filter(|((_, column), at)| column.get(point) != source.value(item, *at));
        if let Some(((attribute, _), _)) = others.next() {
            return refuse(attribute.name, format!("the point {point} has another value in the release"));
        }
    }
    Ok(())
}

/// Finds the item of a point; `None` when there is none of its id, or it lies elsewhere.
fn item_at(points: &LayerPoints, point: u32, key: u64, source: LayerSource<'_>) -> Option<u32> {
    let item = source.find(points.id(point)?)?;
    is_key_of(key, source.position(item)?).then_some(item)
}
