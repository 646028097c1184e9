import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { statistics } from '../../api/statistics.ts';
import { useRealmOfApps } from '../../frame/realm-of-apps.ts';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { session } from '../../session/session.ts';
import { statisticsTexts } from './texts.ts';

/** Clients for administration: a sign-in to one of these is not a first sign-in to an application. */
const ADMIN_CLIENTS = ['keyhost-desk', 'security-admin-console', 'admin-cli', 'account-console', 'account'];
const STEPS = ['connect', 'signIn', 'password', 'email', 'backup', 'https'] as const;

/**
 * The steps before going live, shown until a user has signed in to an application.
 * @param props.statisticsRealm undefined for the sign-ins to all realms
 */
export function Checklist({ realm, statisticsRealm }: { realm: string; statisticsRealm: string | undefined }) {
  const texts = useTexts(statisticsTexts);
  const { data } = useQuery(statistics(statisticsRealm, '30d'));
  const appRealm = useRealmOfApps();
  if (data === undefined || data.otherApplications > 0) return null;
  if (data.applications.some(({ clientId }) => !ADMIN_CLIENTS.includes(clientId))) return null;
  const links: Partial<Record<(typeof STEPS)[number], string>> = {
    connect: `/realms/${encodeSegment(appRealm)}/connect`,
    password: `/realms/${encodeSegment(session.realm)}/users`,
    email: `/realms/${encodeSegment(realm)}/settings/email`,
  };
  const isSecure = location.protocol === 'https:';
  return (
    <section>
      <h2>{texts.checklist}</h2>
      <p>{texts.checklistLead}</p>
      <ol className="checklist">
        {STEPS.map((step) => {
          const [title, lead] = texts.steps[step];
          const href = links[step];
          const isDone = step === 'https' && isSecure;
          // Whether the other steps are done is unknown: the page does not read their settings.
          const isKnown = step === 'https' || step === 'signIn';
          return (
            <li key={step}>
              <strong>{href === undefined ? title : <Link href={href}>{title}</Link>}</strong>{' '}
              <Badge tone={isDone ? 'good' : 'neutral'}>
                {isDone ? texts.done : isKnown ? texts.open : texts.unknown}
              </Badge>
              <p>{lead}</p>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
