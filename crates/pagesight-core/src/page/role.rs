//! The ARIA roles as a closed set, with what the views need to know about each of them.

macro_rules! roles {
    ($($variant:ident $text:literal $plural:literal),* $(,)?) => {
        /// An ARIA role, or one of pagesight's own: [`Role::Clickable`], [`Role::None`].
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Role {
            /// No role of interest: a wrapper, or a text.
            #[default]
            None,
            $(#[doc = concat!("`", $text, "`")] $variant,)*
        }

        impl Role {
            /// Every role that has a name.
            pub const ALL: &'static [Role] = &[$(Role::$variant),*];

            /// Returns the role as ARIA writes it; empty for none.
            pub fn as_str(self) -> &'static str {
                match self { Role::None => "", $(Role::$variant => $text,)* }
            }

            /// Returns the plural, for counts.
            pub fn plural(self) -> &'static str {
                match self { Role::None => "texts", $(Role::$variant => $plural,)* }
            }

            /// Parses a role; anything else is none.
            pub fn parse(text: &str) -> Role {
                match text { $($text => Role::$variant,)* "img" => Role::Image, _ => Role::None }
            }
        }
    };
}

roles! {
    Alert "alert" "alerts", AlertDialog "alertdialog" "dialogs", Application "application" "applications",
    Article "article" "articles", Banner "banner" "banners", Blockquote "blockquote" "quotations",
    Button "button" "buttons", Caption "caption" "captions", Cell "cell" "cells", Checkbox "checkbox" "checkboxes",
    Clickable "clickable" "clickables", Code "code" "codes", ColumnHeader "columnheader" "column headers",
    Combobox "combobox" "comboboxes", Complementary "complementary" "asides", ContentInfo "contentinfo" "footers",
    Definition "definition" "definitions", Deletion "deletion" "deletions", Dialog "dialog" "dialogs",
    Directory "directory" "lists", Document "document" "documents", Emphasis "emphasis" "emphases",
    Feed "feed" "feeds", Figure "figure" "figures", Form "form" "forms", Generic "generic" "elements",
    Grid "grid" "grids", GridCell "gridcell" "cells", Group "group" "groups", Heading "heading" "headings",
    Image "image" "images", Insertion "insertion" "insertions", Link "link" "links", List "list" "lists",
    ListBox "listbox" "list boxes", ListItem "listitem" "items", Log "log" "logs", Main "main" "mains", Mark "mark" "marks",
    Marquee "marquee" "marquees", Math "math" "formulas", Menu "menu" "menus", MenuBar "menubar" "menus",
    MenuItem "menuitem" "menu items", MenuItemCheckbox "menuitemcheckbox" "menu items",
    MenuItemRadio "menuitemradio" "menu items", Meter "meter" "meters", Navigation "navigation" "navigations",
    Note "note" "notes", Option "option" "options", Paragraph "paragraph" "paragraphs",
    ProgressBar "progressbar" "progress bars", Radio "radio" "radios", RadioGroup "radiogroup" "radio groups",
    Region "region" "regions", Row "row" "rows", RowGroup "rowgroup" "row groups", RowHeader "rowheader" "row headers",
    ScrollBar "scrollbar" "scroll bars", Search "search" "searches", SearchBox "searchbox" "search boxes",
    Separator "separator" "separators", Slider "slider" "sliders", SpinButton "spinbutton" "spin buttons",
    Status "status" "statuses", Strong "strong" "strongs", Subscript "subscript" "subscripts",
    Suggestion "suggestion" "suggestions", Superscript "superscript" "superscripts", Switch "switch" "switches",
    Tab "tab" "tabs", Table "table" "tables", TabList "tablist" "tab lists", TabPanel "tabpanel" "tab panels",
    Term "term" "terms", TextBox "textbox" "textboxes", Time "time" "times", Timer "timer" "timers",
    Toolbar "toolbar" "toolbars", Tooltip "tooltip" "tooltips", Tree "tree" "trees", TreeGrid "treegrid" "tree grids",
    TreeItem "treeitem" "tree items",
}

impl Role {
    /// Whether it is a region of the page that people navigate by.
    pub fn is_landmark(self) -> bool {
        matches!(
            self,
            Role::Banner
                | Role::Complementary
                | Role::ContentInfo
                | Role::Form
                | Role::Main
                | Role::Navigation
                | Role::Region
                | Role::Search
        )
    }

    /// Whether it is a field that a person fills in or sets to a value.
    pub fn is_field(self) -> bool {
        matches!(
            self,
            Role::TextBox
                | Role::SearchBox
                | Role::Combobox
                | Role::ListBox
                | Role::SpinButton
                | Role::Slider
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_reads_back() {
        for role in Role::ALL {
            assert_eq!(Role::parse(role.as_str()), *role);
        }
        assert_eq!(Role::parse("no-such-role"), Role::None);
    }
}
