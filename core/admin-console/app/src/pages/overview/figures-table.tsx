import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { weekByHour } from '../../api/statistics.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { type FigureRow, figureHref, figureRows } from './figures.ts';
import { statisticsTexts } from './texts.ts';

/**
 * The numbers of the last 24 hours, next to those of the day and the week before.
 * @param props.realm undefined for all realms together, whose events are in several lists
 */
export function FiguresTable({ realm }: { realm: string | undefined }) {
  const texts = useTexts(statisticsTexts);
  const { language } = useLanguage();
  const query = useQuery(weekByHour(realm));
  const numbers = new Intl.NumberFormat(language);
  const columns: readonly Column<FigureRow>[] = [
    { title: texts.figure, show: ({ name }) => texts.figures[name] },
    ...texts.periods.map((title, index) => ({
      title,
      isNumber: true as const,
      show: ({ name, figures }: FigureRow) => {
        const figure = figures[index];
        if (figure === undefined) return '';
        const value = numbers.format(figure.value);
        if (realm === undefined || figure.value === 0) return value;
        return (
          <Link
            href={figureHref(realm, name, figure.period)}
            aria-label={texts.listOf(value, texts.figures[name], title)}
          >
            {value}
          </Link>
        );
      },
    })),
  ];
  return (
    <section>
      <h2>{texts.today}</h2>
      <QueryResult query={query}>
        {(week) => {
          const rows = figureRows(week);
          if (rows.length === 0) return <p className="nothing">{texts.noFigures}</p>;
          return (
            <div className="figures">
              <DataTable
                caption={texts.today}
                columns={columns}
                rows={rows}
                keyOf={({ name }) => name}
                {...(realm === undefined && { isFocusable: true })}
              />
            </div>
          );
        }}
      </QueryResult>
    </section>
  );
}
