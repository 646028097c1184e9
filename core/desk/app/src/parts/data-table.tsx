import type { Key, ReactNode } from 'react';

export interface Column<T> {
  readonly title: string;
  readonly show: (row: T) => ReactNode;
  readonly isNumber?: true;
  /** Holds what can be done with the row: it stands at the end, and its title is read out alone. */
  readonly isAction?: true;
  /** Left out where there is little room. */
  readonly isMinor?: true;
}

/** Rows of one kind. The first column names the row, and leads to it. */
export function DataTable<T>(props: {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => Key;
  /** Nothing in the rows takes the focus: the table takes it itself, so that it is moved by keyboard where it is too wide. */
  isFocusable?: true;
}) {
  const classOf = ({ isNumber, isMinor, isAction }: Column<T>) =>
    [isNumber && 'number', isMinor && 'minor', isAction && 'row-action'].filter(Boolean).join(' ') || undefined;
  return (
    <div
      className="table-scroll"
      {...(props.isFocusable && { tabIndex: 0, role: 'group', 'aria-label': props.caption })}
    >
      <table>
        <caption className="unseen">{props.caption}</caption>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column.title} scope="col" className={classOf(column)}>
                {column.isAction === true ? <span className="unseen">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={props.keyOf(row)}>
              {props.columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.title} scope="row" className={classOf(column)}>
                    {column.show(row)}
                  </th>
                ) : (
                  <td key={column.title} className={classOf(column)}>
                    {column.show(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
