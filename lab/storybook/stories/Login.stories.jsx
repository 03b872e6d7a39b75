import { useState } from "react";
import { expect, userEvent, waitFor, within } from "storybook/test";

function Login() {
  const [state, setState] = useState("form");
  const [name, setName] = useState("");
  const send = (event) => {
    event.preventDefault();
    setState("sending");
    setTimeout(() => setState("done"), 1500);
  };
  if (state === "done") return <h1>Welcome, {name}</h1>;
  return (
    <form onSubmit={send} aria-label="Log in">
      <h1>Log in</h1>
      <label>
        Name <input value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      <button disabled={state === "sending"}>Log in</button>
    </form>
  );
}

export default { title: "Forms/Login", component: Login };
export const Empty = {};
/** The result of its play function takes 1.5 s after the page is quiet. */
export const Welcomed = {
  play: async ({ canvasElement }) => {
    const canvas = within(canvasElement);
    await userEvent.type(canvas.getByLabelText("Name"), "Ada");
    await userEvent.click(canvas.getByRole("button", { name: "Log in" }));
    await waitFor(() => expect(canvas.getByText("Welcome, Ada")).toBeTruthy(), { timeout: 5000 });
  },
};
/** Throws while it is rendered. */
export const Broken = {
  render: () => {
    throw new Error("the login service is not configured");
  },
};
