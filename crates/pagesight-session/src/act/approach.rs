//! Where the mouse comes from before it presses at a point or drops something. For elements, the
//! page script finds that when it prepares them.

use super::actor::Actor;
use crate::error::Result;
use crate::page_script::PointUnit;

/// How far before its end the mouse stops, in pixels.
const DISTANCES: [f64; 4] = [6.0, 3.0, 2.0, 1.0];
/// The last part of a drag's way, in which it stops before the drop.
const LAST_PART: f64 = 0.15;

/// Returns points around a point, the best ones first: sideways, because the items of a list are
/// wide.
pub(super) fn around((x, y): (f64, f64)) -> Vec<(f64, f64)> {
    let beside = |by: f64| [(x - by, y), (x + by, y), (x, y - by), (x, y + by)];
    DISTANCES.into_iter().flat_map(beside).collect()
}

/// Returns points shortly before the end of a drag, on its way: a page may ask for its direction.
pub(super) fn before_drop(from: (f64, f64), to: (f64, f64)) -> Vec<(f64, f64)> {
    let (wide, high) = (to.0 - from.0, to.1 - from.1);
    let length = wide.hypot(high);
    let near = DISTANCES.into_iter().filter(|by| *by <= length * LAST_PART);
    near.map(|by| (to.0 - wide * by / length, to.1 - high * by / length)).collect()
}

impl Actor<'_> {
    /// Returns the first of these points at which the same element is hit as at a point of the
    /// viewport, if there is one. If the mouse lies on a different item of the same list, it moves
    /// there first.
    pub(super) async fn stops_before(
        &self,
        point: (f64, f64),
        candidates: Vec<(f64, f64)>,
    ) -> Result<Vec<(f64, f64)>> {
        let Some(look) = &self.look else { return Ok(Vec::new()) };
        let Some(mut document) = look.page.documents.first() else { return Ok(Vec::new()) };
        let mut resting = None;
        let (mut at, mut unit) = (point, PointUnit::Pixels);
        // Each candidate with its place in the current document.
        let mut left: Vec<_> = candidates.into_iter().map(|point| (point, point)).collect();
        while !left.is_empty() {
            let here: Vec<_> = left.iter().map(|(_, here)| *here).collect();
            let hits = self.script(document.frame.as_deref()).near(at, unit, &here).await?;
            resting = resting.or(hits.resting);
            let same = left.into_iter().zip(hits.points);
            left = same.filter_map(|((point, _), here)| Some((point, here?))).collect();
            let hit = look.page.find(&document.token, hits.id).map(|id| look.page.node(id));
            let (Some(fx), Some(fy)) = (hits.fx, hits.fy) else { break };
            // In a frame that was not captured, it is not known what is hit.
            let Some(inner) = hit.and_then(|node| node.shown_document()) else {
                return Ok(Vec::new());
            };
            (document, at, unit) = (inner, (fx, fy), PointUnit::Shares);
        }
        Ok(resting.into_iter().chain(left.first().map(|(point, _)| *point)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drop_is_approached_on_the_way_of_the_drag() {
        assert_eq!(before_drop((0.0, 0.0), (0.0, 100.0))[0], (0.0, 94.0));
        assert_eq!(
            before_drop((0.0, 0.0), (-20.0, 0.0)),
            [(-17.0, 0.0), (-18.0, 0.0), (-19.0, 0.0)]
        );
        assert!(before_drop((5.0, 5.0), (5.0, 5.0)).is_empty());
    }
}
