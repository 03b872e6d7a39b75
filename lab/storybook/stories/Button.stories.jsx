import { useState } from "react";

function Button({ label, disabled, kind = "primary" }) {
  return (
    <main>
      <h1>Buttons</h1>
      <button disabled={disabled} data-kind={kind}>
        {label}
      </button>
    </main>
  );
}

export default { title: "Forms/Button", component: Button, args: { label: "Save" } };
export const Primary = {};
export const Secondary = { args: { kind: "secondary", label: "Cancel" } };
export const Disabled = { args: { disabled: true } };
export const Manual = { args: { label: "By hand" }, tags: ["manual"] };

function Counter() {
  const [count, setCount] = useState(0);
  return (
    <main>
      <h1>Counter</h1>
      <button onClick={() => setCount(count + 1)}>Add</button>
      <output>{`${count} items`}</output>
    </main>
  );
}
export const Counting = { render: () => <Counter /> };
