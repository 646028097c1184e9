import { useId } from 'react';
import type { Point, Statistics } from '../../api/statistics.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { statisticsTexts } from './texts.ts';

const WIDTH = 720;
const HEIGHT = 160;

/** Sign-ins and failures over time, as bars with different patterns, and as a table. */
export function Chart({ step, series, totals }: Pick<Statistics, 'step' | 'series' | 'totals'>) {
  const texts = useTexts(statisticsTexts);
  const { language } = useLanguage();
  const pattern = useId();
  const numbers = new Intl.NumberFormat(language);
  const times = new Intl.DateTimeFormat(
    language,
    step === 'hour'
      ? { hour: '2-digit', minute: '2-digit', weekday: 'short' }
      : { dateStyle: 'medium', timeZone: 'UTC' },
  );
  const max = Math.max(1, ...series.map(({ signIns, failures }) => Math.max(signIns, failures)));
  const slot = WIDTH / series.length;
  const bar = slot * 0.4;
  const columns: readonly Column<Point>[] = [
    { title: texts.time, show: ({ time }) => times.format(time) },
    { title: texts.signIns, show: ({ signIns }) => numbers.format(signIns), isNumber: true },
    { title: texts.failed, show: ({ failures }) => numbers.format(failures), isNumber: true },
    ...(totals.signUps === 0
      ? []
      : [
          {
            title: texts.signUps,
            show: ({ signUps }: Point) => numbers.format(signUps),
            isNumber: true as const,
            isMinor: true as const,
          },
        ]),
  ];
  const first = series[0]?.time ?? 0;
  const last = series.at(-1)?.time ?? 0;
  return (
    <figure className="chart">
      <figcaption>
        <span>
          <svg className="chart-key" viewBox="0 0 12 12" aria-hidden="true">
            <rect className="chart-good" width="12" height="12" />
          </svg>
          {texts.signIns}: <strong>{numbers.format(totals.signIns)}</strong>
        </span>
        <span>
          <svg className="chart-key" viewBox="0 0 12 12" aria-hidden="true">
            <rect className="chart-bad" width="12" height="12" fill={`url(#${pattern})`} />
          </svg>
          {texts.failures}: <strong>{numbers.format(totals.failures)}</strong>
        </span>
        {totals.signUps > 0 && (
          <span>
            {texts.signUps}: <strong>{numbers.format(totals.signUps)}</strong>
          </span>
        )}
      </figcaption>
      <svg
        className="chart-bars"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.chart(numbers.format(totals.signIns), numbers.format(totals.failures))}
      >
        <defs>
          <pattern id={pattern} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect className="chart-stripe" width="2.5" height="5" />
          </pattern>
        </defs>
        {series.map(({ time, signIns, failures }, at) => (
          <g key={time}>
            <title>{texts.bar(times.format(time), numbers.format(signIns), numbers.format(failures))}</title>
            <rect x={at * slot} width={slot} height={HEIGHT} fill="transparent" />
            <Bar kind="good" x={at * slot + slot * 0.08} width={bar} share={signIns / max} />
            <Bar kind="bad" x={at * slot + slot * 0.52} width={bar} share={failures / max} fill={`url(#${pattern})`} />
          </g>
        ))}
        <line className="chart-ground" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      </svg>
      <div className="chart-ends" aria-hidden="true">
        <span>{times.format(first)}</span>
        <span>{texts.highest(numbers.format(max))}</span>
        <span>{times.format(last)}</span>
      </div>
      <details>
        <summary>{texts.asTable}</summary>
        {step === 'day' && <p>{texts.utc}</p>}
        <DataTable caption={texts.title} columns={columns} rows={series} keyOf={({ time }) => time} isFocusable />
      </details>
    </figure>
  );
}

function Bar({
  kind,
  x,
  width,
  share,
  fill,
}: {
  kind: 'good' | 'bad';
  x: number;
  width: number;
  share: number;
  fill?: string;
}) {
  const height = share * (HEIGHT - 4);
  return <rect className={`chart-${kind}`} x={x} width={width} y={HEIGHT - height} height={height} fill={fill} />;
}
