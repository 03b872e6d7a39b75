//! The menus: the widget of each library, and how it is opened.

/// How a menu is opened.
pub enum Opening {
    Click,
    /// By filling this text into its field, while the mouse lies below the field.
    Fill(&'static str),
    /// By typing this text into its field, key by key.
    Type(&'static str),
}

/// A widget with a menu.
pub struct Widget {
    /// Its name in the tables.
    pub name: &'static str,
    /// Its name in the address of the page.
    pub kind: &'static str,
    /// The role of what opens it.
    pub role: &'static str,
    /// A part of the name of what opens it.
    pub label: &'static str,
    pub opening: Opening,
}

/// The items that every menu has, in its order.
pub const ITEMS: [&str; 6] =
    ["Solomon Islands", "Somalia", "South Africa", "South Georgia", "South Korea", "South Sudan"];

/// A part of all items.
const TEXT: &str = "So";

pub const WIDGETS: &[Widget] = &[
    widget("jQuery UI autocomplete", "jquery-autocomplete", "textbox", Opening::Fill(TEXT)),
    widget("jQuery UI autocomplete, typed", "jquery-autocomplete", "textbox", Opening::Type(TEXT)),
    widget("jQuery UI 1.12 autocomplete", "old-jquery", "textbox", Opening::Fill(TEXT)),
    Widget {
        name: "jQuery UI selectmenu",
        kind: "jquery-selectmenu",
        role: "combobox",
        label: "",
        opening: Opening::Click,
    },
    widget("jQuery UI menu", "jquery-menu", "button", Opening::Click),
    Widget {
        name: "Select2",
        kind: "select2",
        role: "textbox",
        label: "",
        opening: Opening::Click,
    },
    widget("React-Select", "react-select", "combobox", Opening::Click),
    widget("React-Select, typed", "react-select", "combobox", Opening::Type(TEXT)),
    widget("React-Select, several", "react-select-multi", "combobox", Opening::Fill(TEXT)),
    widget("MUI Select", "mui-select", "combobox", Opening::Click),
    widget("MUI Autocomplete", "mui-autocomplete", "combobox", Opening::Fill(TEXT)),
    widget("Ant Design Select", "ant-select", "combobox", Opening::Click),
    widget("Ant Design AutoComplete", "ant-autocomplete", "combobox", Opening::Fill(TEXT)),
    widget("Headless UI Listbox", "headless-listbox", "button", Opening::Click),
    widget("Headless UI Combobox", "headless-combobox", "combobox", Opening::Fill(TEXT)),
    widget("Headless UI Menu", "headless-menu", "button", Opening::Click),
];

const fn widget(
    name: &'static str,
    kind: &'static str,
    role: &'static str,
    opening: Opening,
) -> Widget {
    Widget { name, kind, role, label: "Country", opening }
}
