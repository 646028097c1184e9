import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useClientNames, useUserNames } from '../../api/names.ts';
import {
  type FormBlock,
  type PageAction,
  type PageContext,
  pageRead,
  type Row,
  type Rows,
  type TableBlock,
  textIn,
  valueAt,
} from '../../api/plugin-pages.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { EmptyList } from '../../parts/empty-list.tsx';
import { Pager } from '../../parts/pager.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { BlockLink } from './block-link.tsx';
import { FormDialog } from './form-dialog.tsx';
import { type OnRowAction, RowTable } from './row-table.tsx';
import { useTableState } from './table-state.ts';
import { texts } from './texts.ts';
import { useAction } from './use-action.tsx';

const MAX = 20;

/** Rows from an operation of the page; the plugin implements paging and search. */
export function PageTable({ context, table }: { context: PageContext; table: TableBlock }) {
  const strings = useTexts(texts);
  const { language } = useLanguage();
  const { search, first, set } = useTableState(table.id);
  const onSearch = useCallback((value: string) => set({ search: value, first: 0 }), [set]);
  const extraQuery = { first, max: MAX, ...(search === '' ? {} : { search }) };
  const query = useQuery({
    ...pageRead<Rows>(context, table.id, table.rows, undefined, extraQuery),
    placeholderData: keepPreviousData,
  });
  const { act, confirmation, status, failure } = useAction(context);
  const [opened, setOpened] = useState<{ form: FormBlock; row: Row | undefined }>();
  const onAction: OnRowAction = (action, row, name) => {
    const form = formOf(context, action);
    if (form === undefined) act(action, row, name);
    else setOpened({ form, row });
  };
  const title = textIn(table.title, language);
  return (
    <section>
      <div className="section-head">
        <h2>{title}</h2>
        <div className="page-tools">
          {table.search && <SearchField label={strings.find(title)} value={search} onSearch={onSearch} />}
          {context.mayManage &&
            table.actions?.map((action) => (
              <button
                type="button"
                key={textIn(action.title, 'en')}
                className={action.danger ? 'danger' : 'primary'}
                onClick={() => onAction(action, undefined, title)}
              >
                {textIn(action.title, language)}
              </button>
            ))}
        </div>
      </div>
      <BlockLink link={table.link} realm={context.realm} />
      {status}
      {failure}
      <QueryResult query={query}>
        {({ rows, more = false, total }) => (
          <>
            {rows.length === 0 ? (
              <EmptyList search={search} onClear={() => onSearch('')}>
                {textIn(table.empty, language)}
              </EmptyList>
            ) : (
              <NamedRows context={context} table={table} rows={rows} onAction={onAction} />
            )}
            {total !== undefined && (
              <p className="help">{strings.total(new Intl.NumberFormat(language).format(total))}</p>
            )}
            <Pager first={first} max={MAX} count={rows.length} hasMore={more} onFirst={(to) => set({ first: to })} />
          </>
        )}
      </QueryResult>
      {confirmation}
      {opened !== undefined && (
        <FormDialog context={context} form={opened.form} row={opened.row} onClose={() => setOpened(undefined)} />
      )}
    </section>
  );
}

function NamedRows(props: { context: PageContext; table: TableBlock; rows: readonly Row[]; onAction: OnRowAction }) {
  const { context, table, rows } = props;
  const idsOf = (kind: 'user' | 'client') =>
    table.columns.filter(({ as }) => as === kind).flatMap(({ at }) => rows.map((row) => valueAt(row, at)));
  const users = useUserNames(context.realm, idsOf('user'));
  const clients = useClientNames(context.realm, idsOf('client'));
  return <RowTable {...props} names={{ users, clients }} />;
}

function formOf({ page }: PageContext, { does }: PageAction): FormBlock | undefined {
  if (!('form' in does)) return undefined;
  return page.blocks.find((block): block is FormBlock => block.kind === 'form' && block.id === does.form);
}
