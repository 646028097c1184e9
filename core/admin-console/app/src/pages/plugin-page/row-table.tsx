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
export type OnRowAction = (action: PageAction, row: Row | undefined, name: string) => void;

/** The number of columns that are always shown; further ones are hidden on narrow screens. */
const ALWAYS_SHOWN = 2;

export function RowTable(props: {
  context: PageContext;
  table: TableBlock;
  rows: readonly Row[];
  names: Names;
  onAction: OnRowAction;
}) {
  const { context, table, rows, names, onAction } = props;
  const strings = useTexts(texts);
  const { language } = useLanguage();
  const [{ at: namePointer, as } = { at: table.key, as: undefined }] = table.columns;
  const nameOf = (row: Row) => {
    const name = String(valueAt(row, namePointer) ?? valueAt(row, table.key));
    return (as === 'user' ? names.users : as === 'client' ? names.clients : undefined)?.get(name) ?? name;
  };
  const last = table.columns.length - 1;
  const columns: Column<Row>[] = table.columns.map((column, index) => ({
    title: textIn(column.title, language),
    show: (row) => <PageValue value={valueAt(row, column.at)} as={column.as} realm={context.realm} names={names} />,
    ...(column.as === 'number' ? { isNumber: true } : {}),
    ...(index >= ALWAYS_SHOWN && index < last ? { isMinor: true } : {}),
  }));
  const { rowActions = [] } = table;
  if (context.mayManage && rowActions.length > 0) {
    columns.push({
      title: strings.actions,
      show: (row) => (
        <span className="actions">
          {rowActions.map((action) => {
            const title = textIn(action.title, language);
            return (
              <button
                type="button"
                key={textIn(action.title, 'en')}
                className={action.danger ? 'danger' : undefined}
                aria-label={strings.of(title, nameOf(row))}
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
