import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../api/rights.ts';
import { type Span, type Statistics as StatisticsData, statistics } from '../../api/statistics.ts';
import { isHostAdmin, who } from '../../api/who.ts';
import { useShownRealm } from '../../frame/shown-realm.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { useListState } from '../../parts/list-state.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { Chart } from './chart.tsx';
import { Checklist } from './checklist.tsx';
import { Ranking } from './ranking.tsx';
import { statisticsTexts } from './texts.ts';

const SPANS = ['24h', '7d', '30d'] as const;

/** Sign-ins over time: of the realm or, for an admin of the host, of all realms. */
export default function Statistics() {
  const texts = useTexts(statisticsTexts);
  const realm = useShownRealm();
  const { data: me } = useQuery(who());
  const { get, set } = useListState();
  const isHost = me !== undefined && isHostAdmin(me);
  const isAll = isHost && get('of') !== 'realm';
  const span: Span = SPANS.find((one) => one === get('span')) ?? '24h';
  const statisticsRealm = isAll ? undefined : realm;
  const may = useRights(realm);
  const isShown = isHost || may('view-events');
  const query = useQuery({ ...statistics(statisticsRealm, span), enabled: isShown });
  if (!isShown) return null;
  return (
    <>
      <Checklist realm={realm} statisticsRealm={statisticsRealm} />
      <section>
        <h2>{texts.title}</h2>
        <div className="chart-choices">
          {isHost && (
            <Choices
              name="of"
              legend={texts.realm}
              options={[
                ['', texts.allRealms],
                ['realm', `${texts.ofRealm} ${realm}`],
              ]}
              value={isAll ? '' : 'realm'}
              onChange={(value) => set({ of: value })}
            />
          )}
          <Choices
            name="span"
            legend={texts.span}
            options={SPANS.map((one) => [one, texts.spans[one]] as const)}
            value={span}
            onChange={(value) => set({ span: value })}
          />
        </div>
        <QueryResult query={query}>{(data) => <Charts {...data} />}</QueryResult>
      </section>
    </>
  );
}

function Charts(data: StatisticsData) {
  const texts = useTexts(statisticsTexts);
  const { language } = useLanguage();
  const { activeUsers, applications, otherApplications, factors } = data;
  const numbers = new Intl.NumberFormat(language);
  const applicationRows = applications.map(({ clientId, signIns }) => ({ name: clientId, count: signIns }));
  const factorRows = (['passwords', 'passkeys', 'secondFactors', 'identityProviders'] as const).map((kind) => ({
    name: texts.factor[kind],
    count: factors[kind],
  }));
  return (
    <>
      <Chart {...data} />
      <h3>{texts.active}</h3>
      <Facts
        facts={[
          [texts.activeDay, numbers.format(activeUsers.day)],
          [texts.activeWeek, numbers.format(activeUsers.week)],
          [texts.activeMonth, numbers.format(activeUsers.month)],
        ]}
      />
      <p className="chart-note">{texts.activeMeans}</p>
      <div className="rankings">
        <Ranking
          title={texts.applications}
          rows={[
            ...applicationRows,
            ...(otherApplications === 0 ? [] : [{ name: texts.others, count: otherApplications }]),
          ]}
        />
        <Ranking title={texts.reasons} rows={data.failures.map(({ error, count }) => ({ name: error, count }))} />
        <Ranking title={texts.factors} rows={factorRows} total={factors.signIns} note={texts.factorsMean} />
        <Ranking title={texts.tokens} rows={data.tokens.map(({ grant, count }) => ({ name: grant, count }))} />
      </div>
    </>
  );
}

function Choices(props: {
  name: string;
  legend: string;
  options: readonly (readonly [value: string, title: string])[];
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <fieldset className="choices">
      <legend className="unseen">{props.legend}</legend>
      {props.options.map(([value, title]) => (
        <label key={value}>
          <input
            type="radio"
            name={props.name}
            className="unseen"
            checked={value === props.value}
            onChange={() => props.onChange(value)}
          />
          {title}
        </label>
      ))}
    </fieldset>
  );
}
