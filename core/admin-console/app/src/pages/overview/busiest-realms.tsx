import { Link } from 'wouter';
import type { RealmSignIns } from '../../api/statistics.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { figureHref, type Period } from './figures.ts';
import { statisticsTexts } from './texts.ts';

/** The realms behind the numbers of all realms. */
export function BusiestRealms({ realms, period }: { realms: readonly RealmSignIns[]; period: Period }) {
  const texts = useTexts(statisticsTexts);
  const { language } = useLanguage();
  const numbers = new Intl.NumberFormat(language);
  if (realms.length === 0) return null;
  const columnOf = (name: 'signIns' | 'failures', title: string): Column<RealmSignIns> => ({
    title,
    isNumber: true,
    show: (row) => {
      const value = numbers.format(row[name]);
      if (row[name] === 0) return value;
      return (
        <Link href={figureHref(row.realm, name, period)} aria-label={texts.listOf(value, title, row.realm)}>
          {value}
        </Link>
      );
    },
  });
  const columns: readonly Column<RealmSignIns>[] = [
    { title: texts.ofRealm, show: ({ realm }) => realm },
    columnOf('signIns', texts.signIns),
    columnOf('failures', texts.failed),
  ];
  return (
    <section>
      <h3>{texts.busiest}</h3>
      <DataTable caption={texts.busiest} columns={columns} rows={realms} keyOf={({ realm }) => realm} />
    </section>
  );
}
