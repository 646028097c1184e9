import type { Key, ReactNode } from 'react';

export interface Column<T> {
  readonly title: string;
  readonly show: (row: T) => ReactNode;
  readonly isNumber?: true;
  /** Contains the actions of the row: it is the last column, and its title is for screen readers only. */
  readonly isAction?: true;
  /** Hidden on narrow screens. */
  readonly isMinor?: true;
}

/** Rows of one type. The first column names the row and links to it. */
export function DataTable<T>(props: {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => Key;
  /** Set if nothing in the rows can be focused: then the table itself can, so that it can be scrolled by keyboard. */
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
