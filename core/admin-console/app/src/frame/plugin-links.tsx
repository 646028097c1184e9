import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { pluginPages, textIn } from '../api/plugin-pages.ts';
import { useLanguage } from '../messages/language.tsx';
import { pluginPagePath } from './navigation.ts';

/** The side bar's links to pages of plugins, if the realm has any. Their list explains why there are none. */
export function PluginLinks({ realm, onNavigate }: { realm: string; onNavigate: () => void }) {
  const { messages, language } = useLanguage();
  const [path] = useLocation();
  const { data = [] } = useQuery(pluginPages(realm));
  const pages = data.filter(({ page }) => page.at === 'realm');
  if (pages.length === 0) return null;
  return (
    <section className="side-group">
      <h2>{messages.pages.pluginPages}</h2>
      <ul>
        {pages.map(({ provider, page }) => {
          const href = pluginPagePath(realm, provider);
          return (
            <li key={provider}>
              <Link href={href} aria-current={path === href ? 'page' : undefined} onClick={onNavigate}>
                {textIn(page.title, language)}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
