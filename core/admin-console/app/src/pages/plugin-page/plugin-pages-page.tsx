import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { type PluginPage, pluginPages, textIn } from '../../api/plugin-pages.ts';
import { pluginPagePath } from '../../frame/navigation.ts';
import { Page } from '../../frame/page.tsx';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { texts } from './texts.ts';

/**
 * The list of plugins' pages for the realm. There is no paging, since their number depends on plugins and not on data.
 */
export default function PluginPagesPage({ realm }: { realm: string }) {
  const strings = useTexts(texts);
  const { language } = useLanguage();
  const query = useQuery(pluginPages(realm));
  const basePath = `/realms/${encodeSegment(realm)}`;
  const columns: readonly Column<PluginPage>[] = [
    {
      title: strings.page,
      show: ({ provider, page }) => <Link href={pluginPagePath(realm, provider)}>{textIn(page.title, language)}</Link>,
    },
    { title: strings.plugin, show: ({ plugin }) => `${plugin.name} ${plugin.version}` },
  ];
  return (
    <Page title={strings.listTitle(realm)} lead={strings.listLead}>
      <QueryResult query={query}>
        {(all) => {
          const rows = all.filter(({ page }) => page.at === 'realm');
          return rows.length === 0 ? (
            <p className="nothing">
              <span>
                {strings.none}{' '}
                <Link href={`${basePath}/providers?show=all&search=admin-page`}>{strings.providers}</Link>
              </span>
            </p>
          ) : (
            <DataTable
              caption={strings.listTitle(realm)}
              columns={columns}
              rows={rows}
              keyOf={({ provider }) => provider}
            />
          );
        }}
      </QueryResult>
    </Page>
  );
}
