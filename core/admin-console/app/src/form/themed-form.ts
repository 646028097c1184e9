// Imported by file: the package's index also loads a validator that generates code.
import withTheme from '@rjsf/core/lib/withTheme.js';
import { CheckboxWidget, SelectWidget } from './choice-widgets.tsx';
import { Description, FieldErrors, FieldTemplate, WrapIfAdditional } from './field-templates.tsx';
import { ArrayFieldItemTemplate, ArrayFieldTemplate, ChoiceTemplate, ObjectFieldTemplate } from './group-templates.tsx';
import { TextWidget } from './text-widget.tsx';

/** The library's form with the admin console's fields. */
export const ThemedForm = withTheme({
  templates: {
    ArrayFieldItemTemplate,
    ArrayFieldTemplate,
    BaseInputTemplate: TextWidget,
    DescriptionFieldTemplate: Description,
    FieldErrorTemplate: FieldErrors,
    FieldTemplate,
    MultiSchemaFieldTemplate: ChoiceTemplate,
    ObjectFieldTemplate,
    WrapIfAdditionalTemplate: WrapIfAdditional,
  },
  widgets: { CheckboxWidget, SelectWidget },
});
