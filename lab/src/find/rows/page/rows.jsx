// Shows the same orders with one of several component libraries. `gold` is what each was given.
import { createGrid, ModuleRegistry, AllCommunityModule } from "ag-grid-community";
import { TabulatorFull as Tabulator } from "tabulator-tables";
import "tabulator-tables/dist/css/tabulator.min.css";
import DataTable from "datatables.net-dt";
import "datatables.net-dt/css/dataTables.dataTables.css";
import { DataGrid } from "@mui/x-data-grid";
import { useVirtualizer } from "@tanstack/react-virtual";
import { List } from "react-window";
import { createRoot } from "react-dom/client";
import React, { useRef } from "react";

const wants = new URLSearchParams(location.search);
const total = Number(wants.get("rows"));
const root = document.getElementById("root");
const names = ["Apollo", "Gemini", "Zoë & Co", "O’Neill", "[12]", "A · B", "Müller", "=sum"];
const orders = Array.from({ length: total }, (_, at) => ({
  id: at + 1,
  name: `${names[at % names.length]} ${at}`,
  state: ["open", "failed", "on hold"][at % 3],
  amount: `$${((at * 7919) % 100000) / 100}`,
  due: `2026-${String((at % 12) + 1).padStart(2, "0")}-${String((at % 28) + 1).padStart(2, "0")}`,
}));
const fields = ["name", "state", "amount", "due"];
const heads = ["Name", "State", "Amount", "Due date"];
const values = (order) => fields.map((field) => order[field]);
window.gold = { kind: "", columns: heads, rows: orders.map(values), footer: [] };

function TanStack() {
  const parent = useRef(null);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => parent.current,
    estimateSize: () => 35,
    overscan: 8,
  });
  return (
    <div ref={parent} style={{ height: 500, overflow: "auto" }}>
      <div style={{ height: rows.getTotalSize(), position: "relative" }}>
        {rows.getVirtualItems().map((row) => (
          <div
            key={row.key}
            data-index={row.index}
            style={{
              position: "absolute",
              top: 0,
              width: "100%",
              height: row.size,
              transform: `translateY(${row.start}px)`,
              display: "flex",
              gap: 20,
            }}
          >
            {values(orders[row.index]).map((text, at) => (
              <div key={fields[at]}>{text}</div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

const ListRow = ({ index, style, ariaAttributes }) => (
  <div {...ariaAttributes} style={{ ...style, display: "flex", gap: 20 }}>
    {values(orders[index]).map((text, at) => (
      <div key={fields[at]}>{text}</div>
    ))}
  </div>
);

const unnamed = () => {
  window.gold.columns = ["text", "text 2", "text 3", "text 4"];
};
const render = (element) => createRoot(root).render(element);

({
  "ag-grid": () => {
    ModuleRegistry.registerModules([AllCommunityModule]);
    root.style.height = "500px";
    createGrid(root, {
      columnDefs: fields.map((field, at) => ({
        field,
        headerName: heads[at],
        pinned: at === 0 && wants.has("pinned") ? "left" : undefined,
      })),
      rowData: orders,
      ...(wants.has("pages") && { pagination: true, paginationPageSize: 20 }),
    });
  },
  tabulator: () => {
    new Tabulator(root, {
      data: orders,
      height: 500,
      columns: fields.map((field, at) => ({ field, title: heads[at] })),
    });
  },
  datatables: () => {
    const table = document.createElement("table");
    root.append(table);
    new DataTable(table, {
      data: orders,
      columns: fields.map((field, at) => ({ data: field, title: heads[at] })),
      order: [],
      ...(wants.has("scroll") ? { scrollY: "300px", paging: false } : { pageLength: 10 }),
    });
  },
  mui: () => {
    render(
      // Each of several pages is drawn as a whole.
      <div style={{ height: wants.has("pages") ? 1500 : 500 }}>
        <DataGrid
          rows={orders}
          columns={fields.map((field, at) => ({ field, headerName: heads[at], width: 160 }))}
          initialState={{ pagination: { paginationModel: { pageSize: wants.has("pages") ? 25 : 100 } } }}
        />
      </div>,
    );
  },
  tanstack: () => {
    unnamed();
    render(<TanStack />);
  },
  "react-window": () => {
    unnamed();
    render(<List rowComponent={ListRow} rowCount={total} rowHeight={30} rowProps={{}} style={{ height: 500 }} />);
  },
})[wants.get("kind")]();
