import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { FILE_STATES, realmFiles } from '../../api/realm-files.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { EmptyList } from '../../parts/empty-list.tsx';
import { HostOnly } from '../../parts/host-only.tsx';
import { useListState } from '../../parts/list-state.ts';
import { Pager } from '../../parts/pager.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { texts as fileTexts } from '../file/texts.ts';
import { FileTable } from './file-table.tsx';
import { texts } from './texts.ts';

const MAX = 50;

export default function FilesPage() {
  const strings = useTexts(texts);
  const { pages } = useMessages();
  return (
    <Page title={pages.realmFiles} lead={strings.lead}>
      <HostOnly>
        <Files />
      </HostOnly>
    </Page>
  );
}

function Files() {
  const strings = useTexts(texts);
  const { notFollowed, notFollowedLead } = useTexts(fileTexts);
  const { get, first, set } = useListState();
  const search = get('search');
  const state = FILE_STATES.find((one) => one === get('show'));
  const query = useQuery(realmFiles({ search, first, max: MAX + 1, ...(state === undefined ? {} : { state }) }));
  const onSearch = useCallback((value: string) => set({ search: value }), [set]);
  return (
    <section>
      <div className="section-head">
        <StateField state={state} onState={(wanted) => set({ show: wanted })} />
        <SearchField label={strings.find} value={search} onSearch={onSearch} />
      </div>
      <QueryResult query={query}>
        {({ files, isFollowed }) => (
          <>
            {!isFollowed && (
              <section className="notice notice-warning">
                <h2>{notFollowed}</h2>
                <p>{notFollowedLead}</p>
              </section>
            )}
            {files.length === 0 ? (
              <EmptyList search={search} onClear={() => set({ search: '' })}>
                {strings.empty}
              </EmptyList>
            ) : (
              <FileTable files={files.slice(0, MAX)} />
            )}
            <Pager
              first={first}
              max={MAX}
              count={Math.min(files.length, MAX)}
              hasMore={files.length > MAX}
              onFirst={(wanted) => set({ first: wanted })}
            />
          </>
        )}
      </QueryResult>
    </section>
  );
}

function StateField(props: { state: (typeof FILE_STATES)[number] | undefined; onState: (state: string) => void }) {
  const strings = useTexts(texts);
  const { states } = useTexts(fileTexts);
  const { state, onState } = props;
  return (
    <fieldset className="choices">
      <legend className="unseen">{strings.show}</legend>
      {[undefined, ...FILE_STATES].map((one) => (
        <label key={one ?? ''}>
          <input
            type="radio"
            name="state"
            className="unseen"
            checked={one === state}
            onChange={() => onState(one ?? '')}
          />
          {one === undefined ? strings.all : states[one]}
        </label>
      ))}
    </fieldset>
  );
}
