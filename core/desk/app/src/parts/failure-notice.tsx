import { ApiFailure } from '../api/failure.ts';
import type { Messages } from '../messages/en.ts';
import { useMessages } from '../messages/language.tsx';

/** What happened, and what to do: the one way in which a page tells of a request that failed. */
export function FailureNotice({ failure, onRetry }: { failure: Error; onRetry?: () => void }) {
  const messages = useMessages();
  const { title, lead, told } = textsOf(failure, messages.failure);
  return (
    <section className="notice notice-bad" role="alert">
      <h2>{title}</h2>
      {lead !== undefined && <p>{lead}</p>}
      {told !== undefined && <pre className="told">{told}</pre>}
      {onRetry !== undefined && (
        <p className="actions">
          <button type="button" onClick={onRetry}>
            {messages.retry}
          </button>
        </p>
      )}
    </section>
  );
}

function textsOf(
  failure: Error,
  texts: Messages['failure'],
): { title: string; lead?: string; told?: string | undefined } {
  if (!(failure instanceof ApiFailure)) return { title: texts.page, lead: texts.pageLead, told: failure.message };
  const { kind, told, roles } = failure;
  if (kind === 'forbidden') {
    return {
      title: texts.forbidden,
      lead: roles.length > 0 ? texts.forbiddenLead(roles.join(', ')) : texts.forbiddenPlain,
    };
  }
  if (kind === 'refused') return { title: texts.refused, told };
  if (kind === 'changed') return { title: texts.changed(failure.change?.username), lead: texts.changedLead };
  if (kind === 'absent') return { title: texts.absent, lead: texts.absentLead };
  if (kind === 'ended') return { title: texts.ended, lead: texts.endedLead };
  if (kind === 'away') return { title: texts.away, lead: texts.awayLead };
  return { title: texts.broken, lead: texts.brokenLead, told };
}
