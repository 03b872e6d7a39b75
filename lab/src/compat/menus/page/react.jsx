// React-Select, MUI, Ant Design and Headless UI.
import * as Headless from "@headlessui/react";
import { Autocomplete, MenuItem, TextField } from "@mui/material";
import { AutoComplete, Select as AntSelect } from "antd";
import React, { useState } from "react";
import { createRoot } from "react-dom/client";
import ReactSelect from "react-select";
import { choose, ITEMS, kind, OTHERS } from "./items.js";

const ALL = [...ITEMS, ...OTHERS];
const OPTIONS = ALL.map((item) => ({ value: item, label: item }));
const wide = { width: 300 };

const WIDGETS = {
  "react-select": () => (
    <ReactSelect aria-label="Country" options={OPTIONS} onChange={(option) => choose(option.value)} />
  ),
  "react-select-multi": () => (
    <ReactSelect
      aria-label="Country"
      isMulti
      options={OPTIONS}
      onChange={(options) => choose(options.at(-1).value)}
    />
  ),
  "mui-select": () => {
    const [value, setValue] = useState("");
    const change = (event) => {
      setValue(event.target.value);
      choose(event.target.value);
    };
    return (
      <TextField select label="Country" id="field" value={value} onChange={change} style={wide}>
        {ALL.map((item) => (
          <MenuItem key={item} value={item}>
            {item}
          </MenuItem>
        ))}
      </TextField>
    );
  },
  "mui-autocomplete": () => (
    <Autocomplete
      options={ALL}
      onChange={(_, value) => choose(value)}
      renderInput={(params) => <TextField {...params} label="Country" />}
      style={wide}
    />
  ),
  "ant-select": () => (
    <AntSelect aria-label="Country" options={OPTIONS} onChange={choose} style={wide} />
  ),
  "ant-autocomplete": () => (
    <AutoComplete
      aria-label="Country"
      options={OPTIONS}
      filterOption={(text, option) => option.value.toLowerCase().includes(text.toLowerCase())}
      onSelect={choose}
      style={wide}
    />
  ),
  "headless-listbox": () => {
    const [value, setValue] = useState("Choose");
    const change = (item) => {
      setValue(item);
      choose(item);
    };
    return (
      <Headless.Field>
        <Headless.Label>Country</Headless.Label>
        <Headless.Listbox value={value} onChange={change}>
          <Headless.ListboxButton>{value}</Headless.ListboxButton>
          <Headless.ListboxOptions>
            {ALL.map((item) => (
              <Headless.ListboxOption key={item} value={item}>
                {item}
              </Headless.ListboxOption>
            ))}
          </Headless.ListboxOptions>
        </Headless.Listbox>
      </Headless.Field>
    );
  },
  "headless-combobox": () => {
    const [value, setValue] = useState(null);
    const [query, setQuery] = useState("");
    const change = (item) => {
      setValue(item);
      choose(item);
    };
    return (
      <Headless.Combobox value={value} onChange={change}>
        <Headless.ComboboxInput
          aria-label="Country"
          onChange={(event) => setQuery(event.target.value)}
        />
        <Headless.ComboboxOptions>
          {ALL.filter((item) => item.toLowerCase().includes(query.toLowerCase())).map((item) => (
            <Headless.ComboboxOption key={item} value={item}>
              {item}
            </Headless.ComboboxOption>
          ))}
        </Headless.ComboboxOptions>
      </Headless.Combobox>
    );
  },
  "headless-menu": () => (
    <Headless.Menu>
      <Headless.MenuButton>Country</Headless.MenuButton>
      <Headless.MenuItems>
        {ITEMS.map((item) => (
          <Headless.MenuItem key={item}>
            <button type="button" onClick={() => choose(item)} style={{ display: "block" }}>
              {item}
            </button>
          </Headless.MenuItem>
        ))}
      </Headless.MenuItems>
    </Headless.Menu>
  ),
};

const Widget = WIDGETS[kind];
createRoot(document.getElementById("root")).render(<Widget />);
