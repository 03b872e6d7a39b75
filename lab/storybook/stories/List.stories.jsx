function List({ items }) {
  return (
    <section aria-label="Orders">
      <h2>Orders</h2>
      {items.length === 0 ? <p>No orders yet</p> : <ul>{items.map((item) => <li key={item}><a href={`#${item}`}>{item}</a></li>)}</ul>}
    </section>
  );
}

export default { title: "Data/List", component: List };
export const Nothing = { args: { items: [] } };
export const One = { args: { items: ["Tea"] } };
export const Many = { args: { items: ["Tea", "Coffee", "Bread", "Salt"] } };
export const Long = { args: { items: Array.from({ length: 40 }, (_, at) => `Order ${at + 1}`) } };
/** Loads its data late. */
export const Loaded = {
  args: { items: ["Milk"] },
  loaders: [async () => ({ late: await new Promise((done) => setTimeout(done, 700)) })],
};
