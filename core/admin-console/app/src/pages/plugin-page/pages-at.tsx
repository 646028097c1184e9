import { useQuery } from '@tanstack/react-query';
import { type PluginPage, pluginPages, textIn } from '../../api/plugin-pages.ts';
import { useLanguage } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageBlocks } from './page-blocks.tsx';

type Place = { at: 'user' | 'client'; subject: string } | { at: 'provider'; plugin: string };

/** The pages of plugins for a user, a client, or the providers of a plugin, each as a section of that object's page. */
export function PagesAt({ realm, place }: { realm: string; place: Place }) {
  const { language } = useLanguage();
  const { data = [], error } = useQuery(pluginPages(realm));
  const isHere = ({ page, plugin }: PluginPage) =>
    page.at === place.at && (place.at !== 'provider' || plugin.name === place.plugin);
  return (
    <>
      {error !== null && <FailureNotice failure={error} />}
      {data.filter(isHere).map((found) => (
        <section key={found.provider} className="page-at" aria-label={textIn(found.page.title, language)}>
          <h2>{textIn(found.page.title, language)}</h2>
          <PageBlocks context={{ ...found, realm, subject: place.at === 'provider' ? undefined : place.subject }} />
        </section>
      ))}
    </>
  );
}
