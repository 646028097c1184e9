import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../api/rights.ts';
import { type Span, statistics } from '../../api/statistics.ts';
import { isHostAdmin, who } from '../../api/who.ts';
import { useShownRealm } from '../../frame/shown-realm.ts';
import { useTexts } from '../../messages/language.tsx';
import { useListState } from '../../parts/list-state.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { Charts } from './charts.tsx';
import { Checklist } from './checklist.tsx';
import { FiguresTable } from './figures-table.tsx';
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
      {isHost && (
        <div className="chart-choices">
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
        </div>
      )}
      <FiguresTable realm={statisticsRealm} />
      <section>
        <h2>{texts.title}</h2>
        <div className="chart-choices">
          <Choices
            name="span"
            legend={texts.span}
            options={SPANS.map((one) => [one, texts.spans[one]] as const)}
            value={span}
            onChange={(value) => set({ span: value })}
          />
        </div>
        <QueryResult query={query}>{(data) => <Charts data={data} realm={statisticsRealm} />}</QueryResult>
      </section>
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
