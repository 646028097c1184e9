import { type QueryKey, type UseQueryResult, useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Mapper, MapperRequest } from '../api/mappers.ts';
import type { Tagged } from '../api/request.ts';
import { useTexts } from '../messages/language.tsx';
import { Confirm } from './confirm.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { MapperDialog, NewMapperDialog, type ShownKind } from './mapper-form.tsx';
import { texts as mapperTexts } from './mapper-texts.ts';
import { Outcome } from './outcome.tsx';
import { QueryResult } from './query-result.tsx';
import { useChange } from './use-change.ts';

/** The operations on the mappers of one object. */
export interface MapperCalls {
  /** Reads the current version, so that a save detects changes by another editor. */
  readonly read: (id: string) => Promise<Tagged<Mapper>>;
  readonly create: (mapper: MapperRequest) => Promise<void>;
  readonly change: (mapper: Mapper, ifMatch: string | undefined) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

/**
 * The mappers of a client, a client scope or an identity provider.
 * @param props.refreshes the data to read again after each change
 */
export function MapperList(props: {
  realm: string;
  query: UseQueryResult<readonly Mapper[]>;
  kinds: readonly ShownKind[];
  calls: MapperCalls;
  refreshes: QueryKey;
  canManage: boolean;
  lead: string;
  empty: ReactNode;
}) {
  const { realm, query, kinds, calls, refreshes, canManage, lead, empty } = props;
  const texts = useTexts(mapperTexts);
  const { run, isBusy, done, failure, showMessage, reset } = useChange(refreshes);
  const [isAdding, setAdding] = useState(false);
  const [opened, setOpened] = useState<Tagged<Mapper>>();
  const [toRemove, setToRemove] = useState<Mapper>();
  const open = useMutation({ mutationFn: calls.read, onMutate: () => showMessage(undefined), onSuccess: setOpened });
  const sorted = [...kinds].sort((a, b) => a.name.localeCompare(b.name));
  const nameOf = (kind: string) => kinds.find(({ id }) => id === kind)?.name ?? kind;
  /** The dialog shows its failure. */
  const saveAndReport = async (change: Promise<void>, text: string) => {
    await change;
    run(() => Promise.resolve(), text);
  };
  const columns: readonly Column<Mapper>[] = [
    { title: texts.name, show: ({ name }) => name },
    { title: texts.kind, isMinor: true, show: ({ kind }) => nameOf(kind) },
    {
      title: texts.action,
      isAction: true,
      show: (mapper) => (
        <span className="actions row-actions">
          <button
            type="button"
            aria-label={canManage ? texts.editOf(mapper.name) : texts.viewOf(mapper.name)}
            // Not disabled while it loads, since a disabled button loses the focus, which the dialog restores.
            onClick={() => !open.isPending && open.mutate(mapper.id)}
          >
            {canManage ? texts.edit : texts.view}
          </button>
          {canManage && (
            <button
              type="button"
              className="danger"
              aria-label={texts.removeOf(mapper.name)}
              onClick={() => setToRemove(mapper)}
            >
              {texts.remove}
            </button>
          )}
        </span>
      ),
    },
  ];
  return (
    <section>
      <div className="section-head">
        <h2>{texts.mappers}</h2>
        {canManage && sorted.length > 0 && (
          <button type="button" onClick={() => setAdding(true)}>
            {texts.add}
          </button>
        )}
      </div>
      <p className="help section-lead">{lead}</p>
      <Outcome done={done} failure={open.error} />
      <QueryResult query={query}>
        {(mappers) =>
          mappers.length === 0 ? (
            <p className="nothing">{empty}</p>
          ) : (
            <DataTable caption={texts.mappers} columns={columns} rows={mappers} keyOf={({ id }) => id} />
          )
        }
      </QueryResult>
      {isAdding && (
        <NewMapperDialog
          realm={realm}
          kinds={sorted}
          onSave={(mapper) => saveAndReport(calls.create(mapper), texts.added(mapper.name))}
          onClose={() => setAdding(false)}
        />
      )}
      {opened !== undefined && (
        <MapperDialog
          realm={realm}
          kinds={kinds}
          mapper={opened.body}
          onSave={
            canManage
              ? (mapper) => saveAndReport(calls.change(mapper, opened.tag), texts.saved(mapper.name))
              : undefined
          }
          onClose={() => setOpened(undefined)}
        />
      )}
      {toRemove !== undefined && (
        <Confirm
          title={texts.removeAsk(toRemove.name)}
          action={texts.removeLong}
          isDangerous
          isBusy={isBusy}
          onConfirm={() =>
            run(
              () => calls.remove(toRemove.id),
              texts.removed(toRemove.name),
              () => setToRemove(undefined),
            )
          }
          onClose={() => {
            setToRemove(undefined);
            reset();
          }}
        >
          {failure !== null && <FailureNotice failure={failure} />}
          <p>{texts.removeLead}</p>
        </Confirm>
      )}
    </section>
  );
}
