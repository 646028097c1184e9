import { type BlockLink as Declared, textIn } from '../../api/plugin-pages.ts';
import { useLanguage } from '../../messages/language.tsx';
import { PageAnchor } from './page-value.tsx';

/** The link of a block, if it declares one. */
export function BlockLink({ link, realm }: { link: Declared | undefined; realm: string }) {
  const { language } = useLanguage();
  if (link === undefined) return null;
  return (
    <p>
      <PageAnchor to={link.to} realm={realm}>
        {textIn(link.title, language)}
      </PageAnchor>
    </p>
  );
}
