import { useQuery } from '@tanstack/react-query';
import { pluginPages, textIn } from '../../api/plugin-pages.ts';
import { Page } from '../../frame/page.tsx';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { QueryResult } from '../../parts/loaded.tsx';
import { PageBlocks } from './page-blocks.tsx';
import { texts } from './texts.ts';

/** A plugin's page for the realm. */
export default function PluginPage({ realm, provider }: { realm: string; provider: string }) {
  const told = useTexts(texts);
  const { language } = useLanguage();
  const query = useQuery(pluginPages(realm));
  const found = query.data?.find((one) => one.provider === provider && one.page.at === 'realm');
  const { plugin } = found ?? {};
  return (
    <Page
      title={found === undefined ? provider : textIn(found.page.title, language)}
      lead={plugin && told.lead(`${plugin.name} ${plugin.version}`)}
    >
      <QueryResult query={query}>
        {() =>
          found === undefined ? (
            <section className="notice notice-warning">
              <h2>{told.absent}</h2>
              <p>{told.absentLead}</p>
            </section>
          ) : (
            <PageBlocks shown={{ ...found, realm, subject: undefined }} />
          )
        }
      </QueryResult>
    </Page>
  );
}
