import { Link } from 'wouter';
import { useTitlesByClientId } from '../../api/names.ts';
import type { Statistics } from '../../api/statistics.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { reasonOf } from '../events/sentences/reason.ts';
import { texts as eventTexts } from '../events/texts.ts';
import { BusiestRealms } from './busiest-realms.tsx';
import { Chart } from './chart.tsx';
import { DAY_MS, eventsHref } from './figures.ts';
import { Ranking, type RankingRow } from './ranking.tsx';
import { statisticsTexts } from './texts.ts';

/** The type of the events by which a grant is counted. */
const GRANT_EVENTS: Readonly<Record<string, string>> = {
  authorization_code: 'CODE_TO_TOKEN',
  refresh_token: 'REFRESH_TOKEN',
  client_credentials: 'CLIENT_LOGIN',
  password: 'LOGIN',
  'urn:ietf:params:oauth:grant-type:device_code': 'OAUTH2_DEVICE_CODE_TO_TOKEN',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'TOKEN_EXCHANGE',
};
const FACTORS = ['passwords', 'passkeys', 'secondFactors', 'identityProviders'] as const;

/**
 * The chart of a time range, and rankings. Zeros are left out.
 * @param props.realm undefined for all realms together, whose events are in several lists
 */
export function Charts({ data, realm }: { data: Statistics; realm: string | undefined }) {
  const texts = useTexts(statisticsTexts);
  const { language } = useLanguage();
  const { activeUsers, applications, otherApplications, factors, totals } = data;
  const numbers = new Intl.NumberFormat(language);
  const { builtInClients } = useTexts(eventTexts);
  const titles = useTitlesByClientId(
    realm ?? '',
    realm === undefined ? [] : applications.map(({ clientId }) => clientId),
  );
  if (Object.values(totals).every((total) => total === 0) && data.tokens.length === 0)
    return <p className="nothing">{texts.none}</p>;
  const href = (type: string | undefined, more?: Readonly<Record<string, string>>) =>
    realm === undefined || type === undefined ? undefined : eventsHref(realm, type, data, more);
  // Active users are those of whole UTC days.
  const endOfDay = Math.ceil(data.to / DAY_MS) * DAY_MS;
  const active = (count: number, days: number) => {
    if (realm === undefined || count === 0) return numbers.format(count);
    const period = { from: endOfDay - days * DAY_MS, to: endOfDay };
    return <Link href={eventsHref(realm, 'LOGIN', period)}>{numbers.format(count)}</Link>;
  };
  const applicationRows: readonly RankingRow[] = [
    ...applications.map(({ clientId, signIns }) => ({
      name: builtInClients[clientId] ?? titles.get(clientId) ?? clientId,
      code: clientId,
      count: signIns,
      href: href('LOGIN', { client: clientId }),
    })),
    { name: texts.others, count: otherApplications },
  ];
  const failureRows = data.failures.map(({ error, count }) => ({
    name: reasonOf(error, {}, language),
    code: error,
    count,
    href: href('LOGIN_ERROR'),
  }));
  const factorRows = FACTORS.map((kind) => ({ name: texts.factor[kind], count: factors[kind] }));
  const tokenRows = data.tokens.map(({ grant, count }) => ({ name: grant, count, href: href(GRANT_EVENTS[grant]) }));
  return (
    <>
      <Chart {...data} />
      {activeUsers.month > 0 && (
        <>
          <h3>{texts.active}</h3>
          <Facts
            facts={[
              [texts.activeDay, active(activeUsers.day, 1)],
              [texts.activeWeek, active(activeUsers.week, 7)],
              [texts.activeMonth, active(activeUsers.month, 30)],
            ]}
          />
          <p className="chart-note">{texts.activeMeans}</p>
        </>
      )}
      <div className="rankings">
        {data.realms !== undefined && <BusiestRealms realms={data.realms} period={data} />}
        <Ranking title={texts.applications} rows={applicationRows} />
        <Ranking title={texts.reasons} rows={failureRows} />
        <Ranking title={texts.factors} rows={factorRows} total={factors.signIns} note={texts.factorsMean} />
        <Ranking title={texts.tokens} rows={tokenRows} />
      </div>
    </>
  );
}
