import { useQuery } from '@tanstack/react-query';
import { pluginPages, textIn } from '../../api/plugin-pages.ts';
import { Page } from '../../frame/page.tsx';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { PageBlocks } from './page-blocks.tsx';
import { texts } from './texts.ts';

/** A plugin's page for the realm. */
export default function PluginPage({ realm, provider }: { realm: string; provider: string }) {
  const strings = useTexts(texts);
  const { language } = useLanguage();
  const query = useQuery(pluginPages(realm));
  const found = query.data?.find((one) => one.provider === provider && one.page.at === 'realm');
  const { plugin } = found ?? {};
  return (
    <Page
      title={found === undefined ? provider : textIn(found.page.title, language)}
      lead={plugin && strings.lead(`${plugin.name} ${plugin.version}`)}
    >
      <QueryResult query={query}>
        {() =>
          found === undefined ? (
            <section className="notice notice-warning">
              <h2>{strings.absent}</h2>
              <p>{strings.absentLead}</p>
            </section>
          ) : (
            <PageBlocks context={{ ...found, realm, subject: undefined }} />
          )
        }
      </QueryResult>
    </Page>
  );
}
