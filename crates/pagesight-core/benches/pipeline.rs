//! Measures the time and the allocations of the pipeline and of printing a snapshot: `cargo bench
//! -p pagesight-core`. The page is a shop's list with wrappers, classes, hidden menus and scripts;
//! ten nodes per item.

#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::LazyLock;

use divan::{AllocProfiler, Bencher, black_box};
use pagesight_core::page::Page;
use pagesight_core::pipeline::{PipelineConfig, view};
use pagesight_core::render::{SequentialNumbers, SnapshotFormat, SnapshotOptions, snapshot};
use pagesight_core::wire::decode::decode;
use serde_json::json;

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

const SIZES: [usize; 5] = [1_000, 5_000, 10_000, 100_000, 1_000_000];

static PAGES: LazyLock<Vec<Page>> =
    LazyLock::new(|| SIZES.iter().map(|size| page(*size)).collect());

fn main() {
    LazyLock::force(&PAGES);
    divan::main();
}

fn of(size: usize) -> &'static Page {
    &PAGES[SIZES.iter().position(|known| *known == size).unwrap()]
}

/// A page of so many nodes.
fn page(nodes: usize) -> Page {
    let items = nodes / 10;
    let mut strings: Vec<String> = [
        "",
        "html",
        "ul",
        "li",
        "div",
        "a",
        "span",
        "button",
        "script",
        "list",
        "listitem",
        "link",
        "button",
        "class",
        "card card--large shadow-sm",
        "href",
        "data-id",
        "Add to cart",
        "12.50 €",
        "track(1)",
        "style",
        "color: red",
    ]
    .map(str::to_owned)
    .to_vec();
    let (mut size, mut id, mut tag, mut role) =
        (vec![items * 10 + 1, items * 10], vec![1, 2], vec![1, 2], vec![0, 9]);
    let (mut name, mut flags, mut attrs) = (vec![0, 0], vec![2u32, 2], Vec::new());
    for item in 0..items {
        let title = strings.len();
        strings.push(format!("Product number {item}"));
        let link = strings.len();
        strings.push(format!("/products/{item}"));
        let base = size.len();
        for (at, (below, a_tag, a_role, a_name, bits)) in [
            (9, 3, 10, 0, 2),
            (6, 4, 0, 0, 2),
            (1, 5, 11, title, 1),
            (0, 0, 0, title, 0),
            (1, 6, 0, 0, 0),
            (0, 0, 0, 18, 0),
            (1, 7, 12, 17, 1),
            (0, 0, 0, 17, 0),
            (0, 8, 0, 0, 2 | 1 << 24),
            (0, 4, 0, 0, 2 | 1 << 24),
        ]
        .into_iter()
        .enumerate()
        {
            size.push(below);
            id.push(if a_tag == 0 { 0 } else { base + at + 1 });
            tag.push(a_tag);
            role.push(a_role);
            name.push(a_name);
            flags.push(bits);
        }
        for (at, key, value) in
            [(1, 13, 14), (2, 15, link), (4, 13, 14), (4, 20, 21), (6, 13, 14), (6, 16, link)]
        {
            attrs.extend([base + at, key, value]);
        }
    }
    let boxes = vec![10; size.len() * 4];
    let elements = size.len();
    decode(&json!({
        "v": 1, "doc": "d", "url": "http://localhost/", "title": "Shop", "viewport": [1280, 720, 1], "scroll": [0, 0], "size": [1280, 9999],
        "strings": strings, "attrs": attrs, "elements": elements,
        "nodes": {"size": size, "id": id, "tag": tag, "role": role, "name": name, "box": boxes, "flags": flags},
    }).to_string()).unwrap()
}

const OFF: PipelineConfig = PipelineConfig::OFF;
const STAGE1: PipelineConfig = PipelineConfig {
    enable_visibility_filter: true,
    enable_text_node_filter: true,
    enable_noise_filter: true,
    enable_semantic_container_filter: true,
    enable_paint_order_filter: true,
    ..OFF
};
const STAGE2: PipelineConfig = PipelineConfig {
    enable_text_collapsing: true,
    enable_layout_simplification: true,
    enable_attribute_deduplication: true,
    enable_propagating_bounds: true,
    ..STAGE1
};

fn rules(bencher: Bencher<'_, '_>, size: usize, config: PipelineConfig) {
    bencher.bench(|| black_box(view(of(size), &config).shown().count()));
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn a_stage_1(bencher: Bencher<'_, '_>, size: usize) {
    rules(bencher, size, STAGE1);
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn b_stages_1_and_2(bencher: Bencher<'_, '_>, size: usize) {
    rules(bencher, size, STAGE2);
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn c_all_stages(bencher: Bencher<'_, '_>, size: usize) {
    rules(bencher, size, PipelineConfig::DEFAULT);
}

fn whole(bencher: Bencher<'_, '_>, size: usize, format: SnapshotFormat) {
    let options = SnapshotOptions { format, ..SnapshotOptions::WHOLE };
    bencher.bench(|| {
        let view = view(of(size), &PipelineConfig::DEFAULT);
        black_box(snapshot(&view, &options, &mut SequentialNumbers::default()).text.len())
    });
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn d_all_stages_and_text(bencher: Bencher<'_, '_>, size: usize) {
    whole(bencher, size, SnapshotFormat::Text);
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn e_all_stages_and_json(bencher: Bencher<'_, '_>, size: usize) {
    whole(bencher, size, SnapshotFormat::Json);
}
