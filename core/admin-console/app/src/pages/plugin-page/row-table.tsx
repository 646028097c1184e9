import {
  type PageAction,
  type PageContext,
  type Row,
  type TableBlock,
  textIn,
  valueAt,
} from '../../api/plugin-pages.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { type Names, PageValue } from './page-value.tsx';
import { texts } from './texts.ts';

/** @param name the row's name */
export type RowDoing = (action: PageAction, row: Row | undefined, name: string) => void;

/** The number of columns that are always shown; further ones are hidden on narrow screens. */
const KEPT = 2;

export function RowTable(props: {
  shown: PageContext;
  table: TableBlock;
  rows: readonly Row[];
  names: Names;
  onAction: RowDoing;
}) {
  const { shown, table, rows, names, onAction } = props;
  const told = useTexts(texts);
  const { language } = useLanguage();
  const [{ at: named, as } = { at: table.key, as: undefined }] = table.columns;
  const nameOf = (row: Row) => {
    const name = String(valueAt(row, named) ?? valueAt(row, table.key));
    return (as === 'user' ? names.users : as === 'client' ? names.clients : undefined)?.get(name) ?? name;
  };
  const last = table.columns.length - 1;
  const columns: Column<Row>[] = table.columns.map((column, index) => ({
    title: textIn(column.title, language),
    show: (row) => <PageValue value={valueAt(row, column.at)} as={column.as} realm={shown.realm} names={names} />,
    ...(column.as === 'number' ? { isNumber: true } : {}),
    ...(index >= KEPT && index < last ? { isMinor: true } : {}),
  }));
  const { rowActions = [] } = table;
  if (shown.mayManage && rowActions.length > 0) {
    columns.push({
      title: told.actions,
      show: (row) => (
        <span className="actions">
          {rowActions.map((action) => {
            const title = textIn(action.title, language);
            return (
              <button
                type="button"
                key={textIn(action.title, 'en')}
                className={action.danger ? 'danger' : undefined}
                aria-label={told.of(title, nameOf(row))}
                onClick={() => onAction(action, row, nameOf(row))}
              >
                {title}
              </button>
            );
          })}
        </span>
      ),
    });
  }
  return (
    <DataTable
      caption={textIn(table.title, language)}
      columns={columns}
      rows={rows}
      keyOf={(row) => String(valueAt(row, table.key))}
    />
  );
}
