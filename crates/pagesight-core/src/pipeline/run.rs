//! Runs the rules of a stage.

use super::rules::{PipelineRule, Stage, for_each_rule};
use super::view::View;
use super::{filter, optimize, simplify};

macro_rules! define_apply {
    ($($(#[$doc:meta])* $rule:ident {
        key: $key:ident, run: $stage:ident => $apply:path,
        $(counter: $place:literal => $counter:literal, noun: $position:literal => $noun:literal,)?
    })*) => {
        impl PipelineRule {
            pub(super) fn apply(self, view: &mut View<'_>) {
                match self { $(PipelineRule::$rule => $apply(view),)* }
            }
        }
    };
}

for_each_rule!(define_apply);

/// Runs the rules of a stage that are on, in their order.
pub(super) fn run(stage: Stage, view: &mut View<'_>) {
    let config = *view.config();
    let on = |rule: &&PipelineRule| rule.stage() == stage && rule.is_on(&config);
    PipelineRule::ALL.iter().filter(on).for_each(|rule| rule.apply(view));
}
