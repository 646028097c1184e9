import { Link } from 'wouter';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { statisticsTexts } from './texts.ts';

export interface RankingRow {
  readonly name: string;
  /** The code that the name explains. */
  readonly code?: string;
  readonly count: number;
  /** The list behind the count. */
  readonly href?: string | undefined;
}

/**
 * Names with their counts and shares. Rows without a count are left out, and so is a ranking without rows.
 * @param total the count that is 100 %; undefined: the sum of all rows
 */
export function Ranking({
  title,
  rows,
  total,
  note,
}: {
  title: string;
  rows: readonly RankingRow[];
  total?: number;
  note?: string;
}) {
  const texts = useTexts(statisticsTexts);
  const { language } = useLanguage();
  const counted = rows.filter(({ count }) => count > 0);
  if (counted.length === 0) return null;
  const whole = total ?? counted.reduce((sum, { count }) => sum + count, 0);
  const numbers = new Intl.NumberFormat(language);
  const shares = new Intl.NumberFormat(language, { style: 'percent' });
  const columns: readonly Column<RankingRow>[] = [
    {
      title: texts.name,
      show: ({ name, code }) => (
        <span className="ranked">
          {name}
          {code !== undefined && code !== name && (
            <>
              <br />
              <small className="event-code">{code}</small>
            </>
          )}
        </span>
      ),
    },
    {
      title: texts.count,
      show: ({ name, count, href }) =>
        href === undefined ? (
          numbers.format(count)
        ) : (
          <Link href={href} aria-label={texts.listOf(numbers.format(count), name, title)}>
            {numbers.format(count)}
          </Link>
        ),
      isNumber: true,
    },
    { title: texts.share, show: ({ count }) => shares.format(whole === 0 ? 0 : count / whole), isNumber: true },
  ];
  const hasLinks = counted.some(({ href }) => href !== undefined);
  return (
    <section>
      <h3>{title}</h3>
      <DataTable
        caption={title}
        columns={columns}
        rows={counted}
        keyOf={({ name, code }) => code ?? name}
        {...(!hasLinks && { isFocusable: true })}
      />
      {note !== undefined && <p className="chart-note">{note}</p>}
    </section>
  );
}
