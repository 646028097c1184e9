import { Link, useLocation } from 'wouter';
import { useMessages } from '../messages/language.tsx';
import { session } from '../session/session.ts';
import { ConsoleLink } from './console-link.tsx';
import { hostPages, isAt, type PageLink, realmPages } from './navigation.ts';
import { PluginLinks } from './plugin-links.tsx';
import { useShownRealm } from './shown-realm.ts';

/** All pages, in one group for the host and one for the realm. */
export function SideBar({ id, onGone }: { id: string; onGone: () => void }) {
  const messages = useMessages();
  const realm = useShownRealm();
  return (
    <nav className="side-bar" id={id} aria-label={messages.frame.pages}>
      <Group title={messages.frame.host} links={hostPages(session.realm === 'master')} onGone={onGone} />
      <Group title={messages.frame.realm} name={realm} links={realmPages(realm)} onGone={onGone} />
      <PluginLinks realm={realm} onGone={onGone} />
      <ConsoleLink shown={realm} />
    </nav>
  );
}

function Group(props: { title: string; name?: string; links: readonly PageLink[]; onGone: () => void }) {
  const { pages } = useMessages();
  const [path] = useLocation();
  return (
    <section className="side-group">
      <h2>
        {props.title}
        {props.name !== undefined && <span className="side-realm">{props.name}</span>}
      </h2>
      <ul>
        {props.links.map(({ name, href }) => (
          <li key={name}>
            <Link href={href} aria-current={isAt(path, href) ? 'page' : undefined} onClick={props.onGone}>
              {pages[name]}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
