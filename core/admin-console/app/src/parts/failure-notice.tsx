import { ApiFailure, HOST_ADMIN } from '../api/failure.ts';
import type { Messages } from '../messages/en.ts';
import { type Language, useLanguage } from '../messages/language.tsx';
import { formatRoles } from './format-roles.ts';

/** Explains a failed request, and what to do. Pages show failures only with this component. */
export function FailureNotice({ failure, onRetry }: { failure: Error; onRetry?: () => void }) {
  const { language, messages } = useLanguage();
  const { title, lead, hostMessage } = textsOf(failure, messages.failure, language);
  return (
    <section className="notice notice-bad" role="alert">
      <h2>{title}</h2>
      {lead !== undefined && <p>{lead}</p>}
      {hostMessage !== undefined && <pre className="told">{hostMessage}</pre>}
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
  language: Language,
): { title: string; lead?: string; hostMessage?: string | undefined } {
  if (!(failure instanceof ApiFailure))
    return { title: texts.page, lead: texts.pageLead, hostMessage: failure.message };
  const { kind, hostMessage, roles } = failure;
  if (kind === 'forbidden') {
    if (roles.includes(HOST_ADMIN)) return { title: texts.forbidden, lead: texts.forbiddenHost };
    const lead = roles.length > 0 ? texts.forbiddenLead(formatRoles(roles, language)) : texts.forbiddenPlain;
    return { title: texts.forbidden, lead };
  }
  if (kind === 'refused') return { title: texts.refused, hostMessage };
  if (kind === 'changed') return { title: texts.changed(failure.change?.username), lead: texts.changedLead };
  if (kind === 'absent') return { title: texts.absent, lead: texts.absentLead };
  if (kind === 'ended') return { title: texts.ended, lead: texts.endedLead };
  if (kind === 'away') return { title: texts.away, lead: texts.awayLead };
  return { title: texts.broken, lead: texts.brokenLead, hostMessage };
}
