import type { ReactNode } from 'react';
import './data-table.css';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** `number`: set to the right. `actions`: buttons; its title is for screen readers alone. */
  readonly kind?: 'text' | 'number' | 'actions';
}

interface Props<Row> {
  /** What the table is of, for screen readers. */
  readonly label: string;
  /** The first names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Said instead of the table when there are no rows. */
  readonly empty: ReactNode;
}

/** A table. On a narrow screen each row is a card; the roles are said because another `display` can take them away. */
export function DataTable<Row>({ label, columns, rows, keyOf, empty }: Props<Row>) {
  if (rows.length === 0) return <div className="table-empty">{empty}</div>;
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: as said above
    // biome-ignore-start lint/a11y/useSemanticElements: as said above
    <table className="table" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, kind = 'text' }) => (
            <th key={title} scope="col" role="columnheader" className={`table-${kind}`}>
              {kind === 'actions' ? <span className="quietly">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map(({ title, cell, kind = 'text' }, at) =>
              at === 0 ? (
                <th key={title} scope="row" role="rowheader" className={`table-${kind}`} data-title={title}>
                  {cell(row)}
                </th>
              ) : (
                <td key={title} role="cell" className={`table-${kind}`} data-title={title}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/useSemanticElements: as said above
    // biome-ignore-end lint/a11y/noRedundantRoles: as said above
  );
}
