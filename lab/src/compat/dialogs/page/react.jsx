// MUI, Ant Design, Radix and Headless UI.
import * as Headless from "@headlessui/react";
import { Button, Checkbox, Dialog, DialogActions, DialogContent, DialogTitle, FormControlLabel, MenuItem, TextField } from "@mui/material";
import * as Radix from "@radix-ui/react-dialog";
import { Checkbox as AntCheckbox, Form, Input, Modal, Select } from "antd";
import React, { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { COUNTRIES, library, show } from "./behind.js";

const TEXT = "Changes are visible to your team.";

const fields = (
  <>
    <p><label>Display name <input defaultValue="Ann" /></label></p>
    <p><label>Email <input type="email" defaultValue="ann@example.org" /></label></p>
    <p><label>Country <select>{COUNTRIES.map((name) => <option key={name}>{name}</option>)}</select></label></p>
    <p><label><input type="checkbox" /> Notify me</label></p>
  </>
);

const DIALOGS = {
  mui: ({ open, close }) => (
    <Dialog open={open} onClose={close} aria-labelledby="title">
      <DialogTitle id="title">Your profile</DialogTitle>
      <DialogContent>
        <p>{TEXT}</p>
        <TextField label="Display name" id="name" defaultValue="Ann" />
        <TextField label="Email" id="email" defaultValue="ann@example.org" />
        <TextField select label="Country" id="country" defaultValue="Norway">
          {COUNTRIES.map((name) => <MenuItem key={name} value={name}>{name}</MenuItem>)}
        </TextField>
        <FormControlLabel control={<Checkbox />} label="Notify me" />
      </DialogContent>
      <DialogActions><Button onClick={close}>Cancel</Button><Button onClick={close}>Save profile</Button></DialogActions>
    </Dialog>
  ),
  ant: ({ open, close }) => (
    <Modal title="Your profile" open={open} onCancel={close} onOk={close} okText="Save profile">
      <p>{TEXT}</p>
      <Form>
        <Form.Item label="Display name" name="name" initialValue="Ann"><Input /></Form.Item>
        <Form.Item label="Email" name="email" initialValue="ann@example.org"><Input /></Form.Item>
        <Form.Item label="Country" name="country" initialValue="Norway">
          <Select options={COUNTRIES.map((value) => ({ value, label: value }))} />
        </Form.Item>
        <Form.Item name="notify" valuePropName="checked"><AntCheckbox>Notify me</AntCheckbox></Form.Item>
      </Form>
    </Modal>
  ),
  radix: ({ open, close }) => (
    <Radix.Root open={open} onOpenChange={close}>
      <Radix.Portal>
        <Radix.Overlay className="shade" />
        <Radix.Content className="panel fixed">
          <Radix.Title>Your profile</Radix.Title>
          <Radix.Description>{TEXT}</Radix.Description>
          {fields}
          <Radix.Close>Cancel</Radix.Close> <button onClick={close}>Save profile</button>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  ),
  headless: ({ open, close }) => (
    <Headless.Dialog open={open} onClose={close}>
      <Headless.DialogBackdrop className="shade" />
      <div className="fixed">
        <Headless.DialogPanel className="panel">
          <Headless.DialogTitle>Your profile</Headless.DialogTitle>
          <p>{TEXT}</p>
          {fields}
          <button onClick={close}>Cancel</button> <button onClick={close}>Save profile</button>
        </Headless.DialogPanel>
      </div>
    </Headless.Dialog>
  ),
};

function App() {
  const [open, setOpen] = useState(false);
  useEffect(() => show(() => setOpen(true)), []);
  return React.createElement(DIALOGS[library], { open, close: () => setOpen(false) });
}
createRoot(document.querySelector("#root")).render(<App />);
