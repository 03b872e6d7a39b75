//! Finds the control that shows the next page of a table or list: by `rel`, by its name in several
//! languages, by an arrow or an icon, by a class or a test id, and by the number of the next page.
//! Of several, the one that is most alike wins, then one in a group of page numbers, then the
//! nearest.

use super::page_numbers::{GROUP_DEPTH, is_group, is_last_page, next_numbers};
use crate::nameless::guessed_name;
use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId, Page};
use crate::rows::model::RowTable;
use crate::text::escape::clean;

/// The control that leads to the next page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextControl {
    /// It can be used.
    Usable(NodeId),
    /// It is disabled, as on the last page.
    Disabled,
    /// There is none.
    None,
}

/// Names of the control, in lower case and without arrows and numbers.
const NAMES: &[&str] = &[
    // English, German, French, Spanish, Portuguese, Italian
    "next",
    "next page",
    "go to next page",
    "go to the next page",
    "page next",
    "next results",
    "next entries",
    "older",
    "older posts",
    "older entries",
    "weiter",
    "nächste",
    "nächste seite",
    "zur nächsten seite",
    "nächstes",
    "vor",
    "vorwärts",
    "seite vor",
    "eine seite weiter",
    "ältere beiträge",
    "suivant",
    "suivante",
    "page suivante",
    "suivants",
    "aller à la page suivante",
    "siguiente",
    "página siguiente",
    "siguientes",
    "ir a la página siguiente",
    "pagina siguiente",
    "próximo",
    "próxima",
    "próxima página",
    "seguinte",
    "página seguinte",
    "proxima",
    "avançar",
    "successivo",
    "successiva",
    "pagina successiva",
    "avanti",
    "prossimo",
    "prossima",
    "prossima pagina",
    // Dutch, Scandinavian, Finnish
    "volgende",
    "volgende pagina",
    "nästa",
    "nästa sida",
    "næste",
    "næste side",
    "neste",
    "neste side",
    "seuraava",
    "seuraava sivu",
    "næsta",
    "järgmine",
    // Slavic and Baltic
    "następna",
    "następny",
    "następna strona",
    "dalej",
    "další",
    "další strana",
    "následující",
    "ďalšia",
    "ďalší",
    "ďalej",
    "naslednja",
    "naprej",
    "sljedeća",
    "sledeća",
    "далее",
    "дальше",
    "следующая",
    "следующая страница",
    "вперёд",
    "вперед",
    "наступна",
    "наступна сторінка",
    "далі",
    "следваща",
    "следна",
    "nākamā",
    "kitas",
    "toliau",
    // Others
    "következő",
    "következő oldal",
    "următoarea",
    "următor",
    "pagina următoare",
    "înainte",
    "επόμενη",
    "επόμενο",
    "επόμενη σελίδα",
    "sonraki",
    "sonraki sayfa",
    "ileri",
    "التالي",
    "التالية",
    "الصفحة التالية",
    "הבא",
    "לעמוד הבא",
    "بعدی",
    "صفحه بعد",
    "अगला",
    "পরবর্তী",
    "次へ",
    "次",
    "次のページ",
    "下一页",
    "下一頁",
    "下页",
    "下頁",
    "다음",
    "다음 페이지",
    "ถัดไป",
    "หน้าถัดไป",
    "berikutnya",
    "selanjutnya",
    "seterusnya",
    "tiếp",
    "trang sau",
];
/// Names of a button that adds rows to a list.
const MORE: &[&str] = &[
    "load more",
    "show more",
    "more results",
    "load more results",
    "show more results",
    "mehr laden",
    "mehr anzeigen",
    "weitere laden",
    "charger plus",
    "afficher plus",
    "voir plus",
    "cargar más",
    "mostrar más",
    "ver más",
    "carregar mais",
    "mostra altro",
    "もっと見る",
    "加载更多",
];
/// Arrows: those that lead one page on, and those that often lead to the last page.
const ONE_ON: [&str; 13] =
    [">", "›", "→", "▶", "►", "❯", "⟩", "→︎", "⇒", "⟶", "▸", "〉", "chevron_right"];
const FAR_ON: &[&str] = &["»", ">>", "››", "≫"];

/// How much a control looks like one for the next page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Adds,
    FarArrow,
    Number,
    Class,
    Icon,
    Arrow,
    Name,
    Rel,
}

/// Finds the control that shows the page after that of `table`.
pub fn next_control(page: &Page, table: &RowTable) -> NextControl {
    let list = page.node(table.node);
    let around: Vec<NodeId> = std::iter::once(list).chain(list.ancestors()).map(Node::id).collect();
    let mut rows: Vec<(usize, usize)> = table
        .rows
        .iter()
        .map(|row| page.node(row.node))
        .map(|row| (row.id().index(), row.end()))
        .collect();
    rows.sort_unstable();
    let in_row = |node: Node<'_>| {
        let at = rows.partition_point(|(begin, _)| *begin <= node.id().index());
        at > 0 && node.id().index() < rows[at - 1].1
    };
    let modal = page.nodes().filter(|node| node.is(Flags::MODAL) && node.hidden().is_none()).last();
    let modal = modal.filter(|modal| modal.contains(list.id()));
    let numbers = next_numbers(page);
    let mut best: Option<((Likeness, bool, usize, bool), Node<'_>)> = None;
    for node in page.nodes() {
        if node.is_text()
            || node.hidden().is_some()
            || modal.is_some_and(|modal| !modal.contains(node.id()))
            || !(node.is(Flags::USABLE) || node.is(Flags::DISABLED) || may_be_off(node))
        {
            continue;
        }
        let is_number = numbers.contains(&node.id());
        let likeness = likeness(node).or(is_number.then_some(Likeness::Number));
        let Some(likeness) = likeness else { continue };
        if in_row(node) {
            continue;
        }
        let grouped = node.ancestors().take(GROUP_DEPTH).any(is_group);
        // An arrow or a class alone says little: a carousel has them, too.
        if likeness < Likeness::Name && likeness != Likeness::Adds && !grouped {
            continue;
        }
        // How many elements around the list hold it, too.
        let shared = around
            .iter()
            .position(|above| page.node(*above).contains(node.id()))
            .map_or(0, |at| around.len() - at);
        let rank = (likeness, grouped, shared, node.is(Flags::USABLE));
        if best.as_ref().is_none_or(|(known, _)| rank > *known) {
            best = Some((rank, node));
        }
    }
    match best {
        None if is_last_page(page) => NextControl::Disabled,
        None => NextControl::None,
        Some((_, node)) if is_off(node) => NextControl::Disabled,
        Some((_, node)) => NextControl::Usable(node.id()),
    }
}

/// Whether a control takes no clicks: it is disabled, or marked so by its class or its item's.
pub(super) fn is_off(node: Node<'_>) -> bool {
    let says = |node: Node<'_>| {
        let classes = node.attribute("class").unwrap_or_default().split_whitespace();
        node.is(Flags::DISABLED)
            || node.attribute("aria-disabled") == Some("true")
            || classes.into_iter().any(|class| {
                let class = class.to_ascii_lowercase();
                class == "disabled" || class == "is-disabled" || class.ends_with("-disabled")
            })
    };
    let item = node.parent().filter(|above| above.role() == Role::ListItem || above.tag() == "li");
    !node.is(Flags::USABLE) || says(node) || item.is_some_and(says)
}

/// Whether an element that cannot be used may be a control that is off: a text in its place.
fn may_be_off(node: Node<'_>) -> bool {
    matches!(node.tag(), "span" | "a" | "li" | "div")
        && node.children().filter(|child| !child.is_text()).count() == 0
        && node.ancestors().take(4).any(is_group)
}

fn likeness(node: Node<'_>) -> Option<Likeness> {
    let rel = node.attribute("rel").unwrap_or_default();
    if rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("next")) {
        return Some(Likeness::Rel);
    }
    let texts = || {
        let texts = node.children().filter(|child| child.is_text()).map(|text| text.name());
        texts.collect::<String>()
    };
    let own = clean(node.name());
    let said = if own.is_empty() { clean(&texts()) } else { own };
    let label = clean(node.attribute("aria-label").unwrap_or_default());
    let title = clean(node.attribute("title").unwrap_or_default());
    for text in [&label, &said, &title] {
        let name = plain(text);
        if !name.is_empty() && NAMES.contains(&name.as_str()) {
            return Some(Likeness::Name);
        }
    }
    if ONE_ON.contains(&said.as_str()) {
        return Some(Likeness::Arrow);
    }
    if FAR_ON.contains(&said.as_str()) {
        return Some(Likeness::FarArrow);
    }
    let hint = guessed_name(node).map(|guess| guess.text.to_lowercase());
    if let Some(hint) = &hint
        && (["next", "chevron right", "arrow right", "right", "caret right", "angle right"]
            .iter()
            .any(|word| hint.trim_end_matches(" icon").trim() == *word)
            || NAMES.contains(&plain(hint.trim_end_matches(" icon")).as_str()))
    {
        return Some(Likeness::Icon);
    }
    let marks = ["class", "id", "data-testid", "data-test", "data-action"];
    let has_mark = marks.iter().filter_map(|name| node.attribute(name)).any(|value| {
        let words = value.split(|c: char| !c.is_alphanumeric());
        words.into_iter().any(|word| word.eq_ignore_ascii_case("next"))
    });
    if has_mark && !said.chars().any(|c| c.is_ascii_digit()) {
        return Some(Likeness::Class);
    }
    // A link with such a name leads elsewhere.
    let adds = node.role() != Role::Link && MORE.contains(&plain(&said).as_str());
    adds.then_some(Likeness::Adds)
}

/// Returns a name in lower case, without arrows and numbers: `next` of `Next 50 ›`.
fn plain(text: &str) -> String {
    let is_word = |c: char| c.is_alphabetic() || is_mark(c);
    let words = text.split_whitespace().filter(|word| word.chars().any(is_word));
    let words: Vec<String> =
        words.map(|word| word.trim_matches(|c: char| !is_word(c)).to_lowercase()).collect();
    words.join(" ")
}

/// Whether a character is a vowel sign or a tone mark, which ends words of some scripts.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{dff}' | '\u{e00}'..='\u{e7f}')
}
