import { useLanguage, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { statisticsTexts } from './texts.ts';

interface Row {
  readonly name: string;
  readonly count: number;
}

/** Names with their counts and shares. @param total the count that is 100 %; undefined: the sum of all rows */
export function Ranking({
  title,
  rows,
  total,
  note,
}: {
  title: string;
  rows: readonly Row[];
  total?: number;
  note?: string;
}) {
  const texts = useTexts(statisticsTexts);
  const { language } = useLanguage();
  const whole = total ?? rows.reduce((sum, { count }) => sum + count, 0);
  const numbers = new Intl.NumberFormat(language);
  const shares = new Intl.NumberFormat(language, { style: 'percent' });
  const columns: readonly Column<Row>[] = [
    { title: texts.name, show: ({ name }) => <span className="ranked">{name}</span> },
    { title: texts.count, show: ({ count }) => numbers.format(count), isNumber: true },
    { title: texts.share, show: ({ count }) => shares.format(whole === 0 ? 0 : count / whole), isNumber: true },
  ];
  return (
    <section>
      <h3>{title}</h3>
      {whole === 0 ? (
        <p className="nothing">{texts.none}</p>
      ) : (
        <DataTable caption={title} columns={columns} rows={rows} keyOf={({ name }) => name} isFocusable />
      )}
      {note !== undefined && <p className="chart-note">{note}</p>}
    </section>
  );
}
