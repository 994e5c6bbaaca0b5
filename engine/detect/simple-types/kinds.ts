/** Kinds of syntax nodes, by what their value is made of; one expression for all languages, since their grammars share most names. */

export const LITERAL =
  /^(?:\w+_(?:integer|floating_point|number|int|float)_literal|(?:integer|float|number|character|boolean)(?:_literal)?|(?:real|int|long|imaginary|rune|char|hex|bin|unsigned|bool|null)_literal|true|false|null|nil|none|undefined|unit|simple_symbol|regex|range_expression|range|typeof_expression)$/
export const STRING =
  /^(?:string|.*string(?:_literal)?|.*string_expression|template_string|heredoc|heredoc_body|encapsed_string|text_block|interpolated_string|concatenated_string|string_literal|chained_string|array_of_strings)$/
export const CONTENT =
  /content|fragment|escape|_start$|_end$|_text$|str_text|brace$|^interpolation_quote|heredoc_(?:start|end)|quote/
export const WRAPPER =
  /^(?:parenthesized_expression|parenthesized_statements|parenthesized|non_null_expression|await_expression|await|reference_expression|try_expression|argument|value_argument|expression_statement|template_substitution|interpolation|interpolated_expression|interpolated_identifier|pointer_expression|directly_assignable_expression|postfix_expression|postfix_unary_expression|control_structure_body|statements|block|else_clause|else|then|spread_element|satisfies_expression|checked_expression|unsafe_block|expression|body_statement|block_body|literal_element|annotated_lambda|reference_assignment)$/
export const BINARY =
  /^(?:binary_expression|binary_operator|binary|infix_expression|additive_expression|multiplicative_expression|elvis_expression|nil_coalescing_expression|boolean_operator|conjunction_expression|disjunction_expression|bitwise_operation|coalesce)$/
export const COMPARISON =
  /^(?:comparison_(?:operator|expression)|equality_expression|instanceof_expression|is_pattern_expression|not_operator|in_expression|check_expression|type_test|is_expression|as_pattern)$/
export const CHOICE =
  /^(?:ternary_expression|conditional_expression|conditional|if_expression|if|switch_expression|when_expression|match_expression|if_statement)$/
export const CAST = /^(?:cast_expression|as_expression|type_assertion|type_cast_expression|type_conversion_expression)$/
export const CALL =
  /^(?:method_invocation|call_expression|call|invocation_expression|function_call_expression|member_call_expression|nullsafe_member_call_expression|scoped_call_expression|new_expression|object_creation_expression|instance_expression|macro_invocation|constructor_expression|explicit_constructor_invocation|implicit_object_creation_expression)$/
export const MEMBER =
  /^(?:field_access|member_access_expression|nullsafe_member_access_expression|attribute|member_expression|selector_expression|class_constant_access_expression|scoped_property_access_expression|navigation_expression|field_expression|scoped_identifier|scope_resolution|conditional_access_expression|stable_identifier|select_expression)$/
export const NAME =
  /^(?:identifier|simple_identifier|variable_name|name|constant|instance_variable|class_variable|interpolated_identifier|field_identifier|property_identifier|type_identifier|shorthand_property_identifier)$/
export const LIST =
  /^(?:array|list|set|tuple|array_creation_expression|array_expression|array_literal|collection_literal|list_literal|array_initializer|slice_literal)$/
export const COMPREHENSION = /^(?:generator_expression|list_comprehension|set_comprehension)$/
export const SELF = /^(?:this|self|\$this|@?self|cls|Self|static)$/
export const CONSTANT_NAME = /^_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/
