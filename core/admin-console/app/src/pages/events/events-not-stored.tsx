import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { changeEventConfig, type EventKind, eventConfig } from '../../api/events.ts';
import { isHostAdmin, who } from '../../api/who.ts';
import { useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { texts } from './texts.ts';

const CONFIG_MEMBERS = { user: 'eventsEnabled', admin: 'adminEventsEnabled' } as const;

/** Explains that the realm stores no events, with a button to enable them. */
export function EventsNotStored({ realm, kind }: { realm: string; kind: EventKind }) {
  const strings = useTexts(texts);
  const client = useQueryClient();
  const { data } = useQuery(eventConfig(realm));
  const { data: me } = useQuery(who());
  const enable = useMutation({
    mutationFn: () => changeEventConfig(realm, { [CONFIG_MEMBERS[kind]]: true }),
    onSettled: () => client.invalidateQueries({ queryKey: eventConfig(realm).queryKey }),
  });
  if (data === undefined || data[CONFIG_MEMBERS[kind]] === true) return null;
  const mayEnable = me !== undefined && (isHostAdmin(me) || me.realm_access[realm]?.includes('manage-events') === true);
  return (
    <section className="notice notice-warning">
      <h2>{strings.notKept[kind]}</h2>
      <p>{strings.notKeptLead[kind]}</p>
      {enable.error !== null && <FailureNotice failure={enable.error} />}
      {mayEnable ? (
        <p className="actions">
          <button type="button" disabled={enable.isPending} onClick={() => enable.mutate()}>
            {strings.keep}
          </button>
        </p>
      ) : (
        <p>{strings.keepRole}</p>
      )}
    </section>
  );
}
