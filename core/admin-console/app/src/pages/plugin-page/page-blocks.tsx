import { type PageContext, type TextBlock, textIn } from '../../api/plugin-pages.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { formatRoles } from '../../parts/format-roles.ts';
import { BlockLink } from './block-link.tsx';
import { PageForm } from './page-form.tsx';
import { PageTable } from './page-table.tsx';
import { texts } from './texts.ts';

/** The blocks that a plugin declared. Forms that a button opens are part of that button's table. */
export function PageBlocks({ context }: { context: PageContext }) {
  const { looking } = useTexts(texts);
  const { language } = useLanguage();
  const { blocks, operations, manage } = context.page;
  const changes = Object.values(operations).some(({ method }) => method !== 'GET');
  return (
    <>
      {!context.mayManage && changes && <p className="notice">{looking(formatRoles(manage, language))}</p>}
      {blocks.map((block, index) => {
        if (block.kind === 'table') return <PageTable key={block.id} context={context} table={block} />;
        if (block.kind === 'text') return <TextBlockView key={String(index)} block={block} realm={context.realm} />;
        return block.opens === undefined && context.mayManage ? (
          <PageForm key={block.id} context={context} form={block} />
        ) : null;
      })}
    </>
  );
}

function TextBlockView({ block: { text, tone, link }, realm }: { block: TextBlock; realm: string }) {
  const { language } = useLanguage();
  return (
    <div className={tone === undefined ? 'page-words' : `notice${tone === 'warning' ? ' notice-warning' : ''}`}>
      <p>{textIn(text, language)}</p>
      <BlockLink link={link} realm={realm} />
    </div>
  );
}
