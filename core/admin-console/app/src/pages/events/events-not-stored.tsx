import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { changeEventConfig, type EventKind, eventConfig } from '../../api/events.ts';
import { isHostAdmin, who } from '../../api/who.ts';
import { useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { texts } from './texts.ts';

const SWITCH = { user: 'eventsEnabled', admin: 'adminEventsEnabled' } as const;

/** Explains that the realm stores no events, with a button to enable that. */
export function EventsNotStored({ realm, kind }: { realm: string; kind: EventKind }) {
  const told = useTexts(texts);
  const client = useQueryClient();
  const { data } = useQuery(eventConfig(realm));
  const { data: me } = useQuery(who());
  const keep = useMutation({
    mutationFn: () => changeEventConfig(realm, { [SWITCH[kind]]: true }),
    onSettled: () => client.invalidateQueries({ queryKey: eventConfig(realm).queryKey }),
  });
  if (data === undefined || data[SWITCH[kind]] === true) return null;
  const mayKeep = me !== undefined && (isHostAdmin(me) || me.realm_access[realm]?.includes('manage-events') === true);
  return (
    <section className="notice notice-warning">
      <h2>{told.notKept[kind]}</h2>
      <p>{told.notKeptLead[kind]}</p>
      {keep.error !== null && <FailureNotice failure={keep.error} />}
      {mayKeep ? (
        <p className="actions">
          <button type="button" disabled={keep.isPending} onClick={() => keep.mutate()}>
            {told.keep}
          </button>
        </p>
      ) : (
        <p>{told.keepRole}</p>
      )}
    </section>
  );
}
