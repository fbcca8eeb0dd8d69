import { useState } from "preact/hooks";
import { Button, Field, Select } from "../../kit/controls.tsx";
import type { Conditions } from "./conditions.ts";
import { asTyped, kindOf, typedValue } from "./conditions.ts";

interface QueryFormProps {
  readonly conditions: Conditions;
  /** Names of members to choose from. */
  readonly members: readonly string[];
  readonly onFind: (conditions: Conditions) => void;
}

interface Row {
  readonly member: string;
  readonly value: string;
}

const EMPTY_ROW: Row = { member: "", value: "" };

/** Asks for documents whose named members are equal, and in which order. */
export function QueryForm({ conditions, members, onFind }: QueryFormProps) {
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(conditions.where));
  const [order_by, setOrderBy] = useState(conditions.order_by);
  const [order, setOrder] = useState(conditions.order);
  const change = (at: number, part: Partial<Row>) =>
    setRows(rows.map((row, i) => (i === at ? { ...row, ...part } : row)));
  const find = (event: Event) => {
    event.preventDefault();
    const named = rows.filter(({ member }) => member !== "");
    const where = Object.fromEntries(named.map(({ member, value }) => [member, typedValue(value)]));
    onFind({ where, order_by, order });
  };
  return (
    <form class="stack" onSubmit={find}>
      <datalist id="document-members">
        {members.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {rows.map(({ member, value }, i) => (
        <div class="row document-where" key={i}>
          <input
            dir="auto"
            aria-label={`Member ${i + 1}`}
            placeholder="member"
            list="document-members"
            value={member}
            onInput={({ currentTarget }) => change(i, { member: currentTarget.value })}
          />
          <span aria-hidden="true">=</span>
          <input
            dir="auto"
            aria-label={`Value ${i + 1}`}
            placeholder='gold, 10, true or "10"'
            value={value}
            onInput={({ currentTarget }) => change(i, { value: currentTarget.value })}
          />
          <small class="dim">{member !== "" && kindOf(typedValue(value))}</small>
          {rows.length > 1 && (
            <Button label={`Remove condition ${i + 1}`} onClick={() => setRows(rows.filter((_, at) => at !== i))}>
              ×
            </Button>
          )}
        </div>
      ))}
      <small class="dim">Value and type must be equal: a number in quotation marks is a text.</small>
      <div class="row">
        <Button onClick={() => setRows([...rows, EMPTY_ROW])}>Add a condition</Button>
      </div>
      <div class="row">
        <Field label="Ordered by">
          {(id) => (
            <input
              dir="auto"
              id={id}
              placeholder="newest change"
              list="document-members"
              value={order_by}
              onInput={({ currentTarget }) => setOrderBy(currentTarget.value)}
            />
          )}
        </Field>
        {order_by !== "" && (
          <Select
            label="Direction"
            value={order}
            options={[
              ["asc", "least first"],
              ["desc", "greatest first"],
            ]}
            onChange={setOrder}
          />
        )}
      </div>
      <div class="actions">
        <button type="submit" class="primary">
          Find
        </button>
      </div>
    </form>
  );
}

function rowsOf(where: Conditions["where"]): Row[] {
  const rows = Object.entries(where).map(([member, value]) => ({ member, value: asTyped(value) }));
  return rows.length === 0 ? [EMPTY_ROW] : rows;
}
