/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grammar. The meaning of its rules is in make.c and declare.c: actions are
 * constructor calls.
 */
%code requires {
#include "parse/parser.h"
}
%code {
#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "lib/arena.h"
#include "parse/feed.h"

#define YYLLOC_DEFAULT(cur, rhs, n)                                                                   \
	do {                                                                                           \
		if (n)                                                                                 \
			(cur) = source_loc_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n));                           \
		else {                                                                                 \
			(cur) = YYRHSLOC(rhs, 0);                                                      \
			(cur).begin = (cur).end;                                                       \
		}                                                                                      \
	} while (0)
}

%define api.pure full
%define api.prefix {stap_yy}
%define api.location.type {struct loc}
%define parse.error custom
%define parse.lac full

%locations
%param {struct parser *p}
%expect 0

%union {
	struct token tok;
	struct node *node;
	struct node_list list;
	enum type type;
	enum op op;
	int64_t number;
	char suffix;
	struct symbol *symbol;
	symbol_list symbols;
	struct component component;
	struct alternatives alternatives;
	point_list points;
	struct alias_names alias_names;
	struct function *function;
	bool flag;
	struct each_key each_key;
	struct each_head each_head;
	struct each_array each_array;
}

%token END 0 "end of file"
%token <tok> WORD "a name"
%token <tok> TARGET "a target variable"
%token <tok> NUMBER "a number"
%token <tok> STRING "a string"
%token <tok> EMBED "embedded C"
%token <tok> COMPONENT "a probe point"
%token <tok> PRETTY "'$'"
%token <tok> ATWORD "an @operator"
%token <tok> STATOP "a statistic"
%token PROBE "'probe'"
%token GLOBAL "'global'"
%token PRIVATE "'private'"
%token FUNCTION "'function'"
%token IF "'if'"
%token ELSE "'else'"
%token FOR "'for'"
%token FOREACH "'foreach'"
%token LIMIT "'limit'"
%token RETURN "'return'"
%token DELETE "'delete'"
%token WHILE "'while'"
%token BREAK "'break'"
%token CONTINUE "'continue'"
%token NEXT "'next'"
%token TYPE_STRING_ "'string'"
%token TYPE_LONG_ "'long'"
%token TRY "'try'"
%token CATCH "'catch'"
%token CAST "'@cast'"
%token ATVAR "'@var'"
%token BRACE_OPEN "'{' of a list"
%token BRACE_CLOSE "'}' of a list"
%token ';' "';'"
%token ',' "','"
%token '(' "'('"
%token ')' "')'"
%token '{' "'{'"
%token '}' "'}'"
%token '[' "'['"
%token ']' "']'"
%token ':' "':'"
%token <op> ASSIGN "an assignment"
%token PLUS_ASSIGN "'+='"
%token <op> COMPARE "a comparison"
%token <op> MATCH "'=~'"
%token <op> SHIFT "a shift"
%token <op> INCDEC "'++' or '--'"
%token OROR "'||'"
%token ANDAND "'&&'"
%token IN "'in'"
%token ARROW "'->'"
%token '=' "'='"
%token '?' "'?'"
%token '|' "'|'"
%token '^' "'^'"
%token '&' "'&'"
%token '.' "'.'"
%token '+' "'+'"
%token '-' "'-'"
%token '*' "'*'"
%token '/' "'/'"
%token '%' "'%'"
%token '!' "'!'"
%token '~' "'~'"
%token STATEMENT_END
%token WITHOUT_ELSE
%token UNARY
%type <alternatives> suffixed components component_alt brace_list
%type <component> component
%type <each_array> each_source each_array
%type <each_head> each_head
%type <each_key> each_keys each_name each_names
%type <list> tuple statements keys_ args_
%type <node> block condition primary value comparison relation tuple_key expr statement else_part optional_expr limit catch_var keys args key
%type <number> literal_number direction priority
%type <points> points point
%type <alias_names> alias_names
%type <function> function_head
%type <flag> wrap
%type <suffix> suffix
%type <symbol> global param
%type <symbols> globals params params_
%type <tok> literal name function_name
%type <type> return_type type

/* An optional semicolon: a token that can continue a statement does so. */
%precedence STATEMENT_END
%precedence ';' WORD TARGET NUMBER STRING EMBED ATWORD STATOP CAST ATVAR TYPE_STRING_
%precedence WITHOUT_ELSE
%precedence ELSE
%right '=' ASSIGN PLUS_ASSIGN
%right '?' ':'
%left OROR
%left ANDAND
%left '|'
%left '^'
%left '&'
%left SHIFT
%left '.'
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY '!' '~'
%precedence INCDEC
%precedence '[' '(' PRETTY

%%

program:
	  %empty
	| program item                                                 { p->failed_here = false; }
	| program error                                                { recover_item(p, yychar != STAP_YYEMPTY); yyclearin; yyerrok; }
	;

item:
	  PROBE points block                                           { declare_probe(p, @$, $2, $3); }
	| PROBE wrong_points block
	| PROBE alias_names points block                               { declare_alias(p, @$, $2, $3, $4, NULL); }
	| PROBE alias_names points block ',' block                     { declare_alias(p, @$, $2, $3, $4, $6); }
	| GLOBAL globals end_of_globals                                { declare_globals(p, $2, false); }
	| PRIVATE GLOBAL globals end_of_globals                        { declare_globals(p, $3, true); }
	| PRIVATE globals end_of_globals                               { declare_globals(p, $2, true); }
	| function
	| EMBED                                                        { declare_embed(p, &$1); }
	;

wrong_points:
	  error                                                        { recover_point(p, yychar != STAP_YYEMPTY); yyclearin; yyerrok; }
	;

end_of_globals:
	  %empty
	| ';'
	;

alias_names:
	  point '='                                                    { $$ = declare_alias_name(p, (struct alias_names){ 0 }, $1); }
	| point PLUS_ASSIGN                                            { $$ = declare_alias_name(p, (struct alias_names){ .epilogue = true }, $1); }
	| alias_names point '='                                        { $$ = declare_alias_name(p, $1, $2); }
	| alias_names point PLUS_ASSIGN                                { $$ = declare_alias_name(p, $1, $2); $$.epilogue = true; }
	;

points:
	  point
	| points ',' point                                             { $$ = $1; for (size_t i = 0; i < $3.count; i++) vec_push(p->s->arena, &$$, $3.data[i]); }
	;

point:
	  suffixed                                                     { $$ = declare_points(p, @$, $1); }
	;

suffixed:
	  components suffix condition                                  { $$ = declare_alternatives_suffix(p, $1, $2, @2, $3); }
	;

suffix:
	  %empty                                                       { $$ = 0; }
	| '?'                                                          { $$ = '?'; }
	| '!'                                                          { $$ = '!'; }
	;

condition:
	  %empty                                                       { $$ = NULL; }
	| IF '(' expr ')'                                              { $$ = $3; }
	;

components:
	  component_alt
	| components '.' component_alt                                 { $$ = declare_alternatives_join(p, $1, $3); }
	;

component_alt:
	  component                                                    { $$ = declare_alternatives_single(p, $1); }
	| BRACE_OPEN brace_list BRACE_CLOSE                            { $$ = $2; }
	;

brace_list:
	  suffixed
	| brace_list ',' suffixed                                      { $$ = declare_alternatives_either(p, $1, $3); }
	;

component:
	  COMPONENT                                                    { $$ = (struct component){ .name = $1.text, .arg_kind = ARG_NONE, .loc = @1 }; }
	| COMPONENT '(' STRING ')'                                     { $$ = (struct component){ .name = $1.text, .arg_kind = ARG_STRING, .string = $3.text, .loc = @$, .arg_loc = @3 }; }
	| COMPONENT '(' literal_number ')'                             { $$ = (struct component){ .name = $1.text, .arg_kind = ARG_NUMBER, .number = $3, .loc = @$, .arg_loc = @3 }; }
	;

literal_number:
	  NUMBER                                                       { $$ = $1.number; }
	| '-' NUMBER                                                   { $$ = declare_negative_number(p, @2, &$2); }
	;

globals:
	  global                                                       { $$ = (symbol_list){ 0 }; vec_push(p->s->arena, &$$, $1); }
	| globals ',' global                                           { $$ = $1; vec_push(p->s->arena, &$$, $3); }
	;

global:
	  name return_type wrap                                        { $$ = declare_global(p, &$1, $2, $3); }
	| name return_type wrap '[' literal_number ']'                 { $$ = declare_global(p, &$1, $2, $3); $$->max_entries = $5; declare_check_size(p, @5, $5); }
	| name return_type wrap '=' literal                            { $$ = declare_global(p, &$1, $2, $3); $$->init = declare_literal(p, @5, &$5); }
	| name return_type wrap '[' literal_number ']' '=' literal     { $$ = declare_global(p, &$1, $2, $3); $$->max_entries = $5; parser_error(p, @7, "an array cannot have an initial value"); }
	;

name:
	  WORD
	| TARGET                                                       { $$ = $1; parser_meaning_error(p, @1, "a name that begins with '$' is a target variable of the probe; leave the '$' out"); }
	;

wrap:
	  %empty                                                       { $$ = false; }
	| '%'                                                          { $$ = true; }
	;

literal:
	  STRING
	| literal_number                                               { $$ = (struct token){ .kind = TOKEN_NUMBER, .number = $1 }; }
	;

function:
	  function_head block                                          { declare_function(p, $1, $2, NULL); }
	| function_head EMBED                                          { declare_function(p, $1, NULL, &$2); }
	;

function_head:
	  FUNCTION function_name return_type '(' params ')' priority   { $$ = declare_add_function(p, &$2, $3, $5, $7, false); }
	| PRIVATE FUNCTION function_name return_type '(' params ')' priority { $$ = declare_add_function(p, &$3, $4, $6, $8, true); }
	;

/* string(n) was a function of the language once; a function named long cannot be called. */
function_name:
	  name
	| TYPE_STRING_                                                 { $$ = (struct token){ .kind = TOKEN_WORD, .text = "string", .loc = @1 }; }
	| TYPE_LONG_                                                   { $$ = (struct token){ .kind = TOKEN_WORD, .text = "long", .loc = @1 }; }
	;

/* The user's definitions come before the library's. */
priority:
	  %empty                                                       { $$ = p->unit->source->is_tapset; }
	| ':' literal_number                                           { $$ = $2; if ($2 < 1) parser_error(p, @2, "the priority of a function is at least 1"); }
	;

return_type:
	  %empty                                                       { $$ = TYPE_UNKNOWN; }
	| ':' type                                                     { $$ = $2; }
	;

type:
	  TYPE_STRING_                                                 { $$ = TYPE_STRING; }
	| TYPE_LONG_                                                   { $$ = TYPE_LONG; }
	;

params:
	  %empty                                                       { $$ = (symbol_list){ 0 }; }
	| params_
	| params_ ','
	;

params_:
	  param                                                        { $$ = (symbol_list){ 0 }; vec_push(p->s->arena, &$$, $1); }
	| params_ ',' param                                            { $$ = $1; vec_push(p->s->arena, &$$, $3); }
	;

param:
	  name return_type                                             { $$ = declare_symbol(p, SYMBOL_PARAM, &$1, $2); }
	;

block:
	  '{' statements '}'                                           { $$ = make_block(p, @$, $2.first); }
	;

statements:
	  %empty                                                       { $$ = (struct node_list){ 0 }; }
	| statements statement                                         { $$ = make_list_add($1, $2); p->failed_here = p->unwind > 0; }
	| statements error                                             { if (recover_statement(p, yychar != STAP_YYEMPTY)) yyerrok; yyclearin; }
	;

semicolon:
	  %empty %prec STATEMENT_END
	| ';'
	;

statement:
	  ';'                                                          { $$ = make_simple(p, NODE_EMPTY, @$, NULL); }
	| expr semicolon                                               { $$ = make_simple(p, NODE_EXPR, @1, $1); }
	| block
	| IF '(' expr ')' statement else_part                          { $$ = make_if(p, @$, $3, $5, $6); }
	| WHILE '(' expr ')' statement                                 { $$ = make_for(p, @$, NODE_WHILE, NULL, $3, NULL, $5); }
	| FOR '(' optional_expr ';' optional_expr ';' optional_expr ')' statement{ $$ = make_for(p, @$, NODE_FOR, $3, $5, $7, $9); }
	| FOREACH '(' each_head IN each_source limit ')' statement     { $$ = make_foreach(p, @$, $3, $5, $6, $8); }
	| BREAK semicolon                                              { $$ = make_simple(p, NODE_BREAK, @1, NULL); }
	| CONTINUE semicolon                                           { $$ = make_simple(p, NODE_CONTINUE, @1, NULL); }
	| NEXT semicolon                                               { $$ = make_simple(p, NODE_NEXT, @1, NULL); }
	| return ';'                                                   { $$ = make_simple(p, NODE_RETURN, @1, NULL); }
	| return %prec STATEMENT_END                                   { $$ = make_simple(p, NODE_RETURN, @1, NULL); make_check_return(p, yychar, yylloc); }
	| return expr semicolon                                        { $$ = make_simple(p, NODE_RETURN, @$, $2); make_check_value(p, @1, $2); }
	| DELETE expr semicolon                                        { $$ = make_simple(p, NODE_DELETE, @$, $2); }
	| TRY block CATCH catch_var block                              { $$ = make_try(p, @$, $2, $4, $5); }
	;

return:
	  RETURN                                                       { if (!p->in_function) parser_error(p, @1, "a probe returns nothing; 'next' leaves it"); }
	;

else_part:
	  %empty %prec WITHOUT_ELSE                                    { $$ = NULL; }
	| ELSE statement                                               { $$ = $2; }
	;

catch_var:
	  %empty                                                       { $$ = NULL; }
	| '(' name ')'                                                 { $$ = make_name(p, &$2); }
	;

optional_expr:
	  %empty                                                       { $$ = NULL; }
	| expr
	;

limit:
	  %empty                                                       { $$ = NULL; }
	| LIMIT expr                                                   { $$ = $2; }
	;

direction:
	  %empty                                                       { $$ = 0; }
	| '+'                                                          { $$ = 1; }
	| '-'                                                          { $$ = -1; }
	;

each_head:
	  each_keys                                                    { $$ = (struct each_head){ .keys = $1 }; }
	| each_name '=' each_keys                                      { $$ = (struct each_head){ .keys = $3, .value = $1.names, .value_direction = $1.sort_direction }; }
	;

each_keys:
	  each_name
	| '[' each_names ']'                                           { $$ = $2; }
	;

each_names:
	  each_name
	| each_names ',' each_name                                     { $$ = make_each_key(p, $1, $3); }
	;

each_name:
	  name direction                                               { $$ = (struct each_key){ .names = make_name(p, &$1), .count = 1, .sort_column = $2 ? 1 : 0, .sort_direction = (int)$2, .sort_loc = @2 }; }
	;

each_source:
	  each_array direction                                         { $$ = $1; $$.direction = (int)$2; $$.sort_loc = @2; }
	| each_array STATOP direction                                  { $$ = $1; $$.direction = (int)$3; $$.sort_loc = @3; $$.by_stat = true; $$.stat = (enum stat_op)$2.number; }
	;

each_array:
	  WORD                                                         { $$ = (struct each_array){ .array = make_name(p, &$1) }; }
	| WORD '[' keys ']'                                            { $$ = (struct each_array){ .array = make_name(p, &$1), .slice = $3, .is_slice = true }; }
	| ATWORD '(' args ')'                                          { $$ = (struct each_array){ .array = atword_make(p, @$, &$1, $3) }; }
	;

/*
 * An operand that `->` and `[ ]` can follow. It counts up or down at most once, so that
 * x++ ++y are two statements.
 */
primary:
	  NUMBER                                                       { $$ = make_number(p, @1, $1.number); }
	| STRING                                                       { $$ = make_string(p, &$1); }
	| WORD %prec STATEMENT_END                                     { $$ = make_variable(p, &$1); }
	| TARGET                                                       { $$ = make_target(p, &$1); }
	| EMBED                                                        { $$ = make_embed(p, &$1); }
	| '(' expr ')'                                                 { $$ = $2; $$->in_parens = true; }
	| WORD '(' args ')'                                            { $$ = make_call(p, @$, &$1, $3); }
	| TYPE_STRING_ '(' args ')'                                    { $$ = make_call(p, @$, &(struct token){ .kind = TOKEN_WORD, .text = "string", .loc = @1 }, $3); }
	| STATOP '(' args ')'                                          { $$ = atword_make(p, @$, &$1, $3); }
	| ATWORD '(' args ')'                                          { $$ = atword_make(p, @$, &$1, $3); }
	| CAST '(' expr ',' STRING ')'                                 { $$ = make_cast(p, @$, $3, &$5, NULL); }
	| CAST '(' expr ',' STRING ',' STRING ')'                      { $$ = make_cast(p, @$, $3, &$5, &$7); }
	| ATVAR '(' STRING ')'                                         { $$ = make_atvar(p, @$, &$3, NULL); }
	| ATVAR '(' STRING ',' STRING ')'                              { $$ = make_atvar(p, @$, &$3, &$5); }
	| PRETTY                                                       { $$ = make_target(p, &$1); }
	| primary PRETTY                                               { $$ = make_pretty(p, $1, &$2); }
	| primary ARROW WORD                                           { $$ = make_member(p, $1, &$3); }
	| primary '[' keys ']'                                         { $$ = make_index(p, @$, $1, $3); }
	;

/* An operand of a comparison. */
value:
	  primary %prec STATEMENT_END
	| primary INCDEC                                               { $$ = make_incdec(p, @$, @2, $2, false, $1); }
	| INCDEC primary %prec UNARY                                   { $$ = make_incdec(p, @$, @1, $1, true, $2); }
	| '&' primary %prec UNARY                                      { $$ = make_address(p, @$, @1, $2); }
	| '-' value %prec UNARY                                        { $$ = make_unary(p, @$, @1, OP_NEG, $2); }
	| '+' value %prec UNARY                                        { $$ = make_unary(p, @$, @1, OP_PLUS, $2); }
	| '!' value %prec UNARY                                        { $$ = make_unary(p, @$, @1, OP_NOT, $2); }
	| '~' value %prec UNARY                                        { $$ = make_unary(p, @$, @1, OP_COMPL, $2); }
	| value '*' value                                              { $$ = make_binary(p, @2, OP_MUL, $1, $3); }
	| value '/' value                                              { $$ = make_binary(p, @2, OP_DIV, $1, $3); }
	| value '%' value                                              { $$ = make_binary(p, @2, OP_MOD, $1, $3); }
	| value '+' value                                              { $$ = make_binary(p, @2, OP_ADD, $1, $3); }
	| value '-' value                                              { $$ = make_binary(p, @2, OP_SUB, $1, $3); }
	| value '.' value                                              { $$ = make_concat(p, @2, $1, $3); }
	| value SHIFT value                                            { $$ = make_binary(p, @2, $2, $1, $3); }
	;

comparison:
	  value %prec STATEMENT_END
	| comparison COMPARE value %prec STATEMENT_END                 { $$ = make_binary(p, @2, $2, $1, $3); }
	;

relation:
	  comparison %prec STATEMENT_END
	| value MATCH STRING                                           { $$ = make_regex(p, @2, $2, $1, &$3); }
	;

expr:
	  relation
	| relation IN WORD                                             { $$ = make_in(p, @$, @2, $1, &$3); }
	| relation IN ATWORD '(' args ')'                              { $$ = make_in_hist(p, @$, @2, $1, atword_make(p, source_loc_join(@3, @6), &$3, $5)); }
	| '[' tuple ']' IN WORD                                        { $$ = make_in(p, @$, @4, $2.first, &$5); }
	| expr '&' expr                                                { $$ = make_binary(p, @2, OP_AND, $1, $3); }
	| expr '^' expr                                                { $$ = make_binary(p, @2, OP_XOR, $1, $3); }
	| expr '|' expr                                                { $$ = make_binary(p, @2, OP_OR, $1, $3); }
	| expr ANDAND expr                                             { $$ = make_binary(p, @2, OP_LAND, $1, $3); }
	| expr OROR expr                                               { $$ = make_binary(p, @2, OP_LOR, $1, $3); }
	| expr '?' expr ':' expr                                       { $$ = make_ternary(p, @2, $1, $3, $5); }
	| expr '=' expr                                                { $$ = make_assign(p, @2, OP_NONE, $1, $3); }
	| expr PLUS_ASSIGN expr                                        { $$ = make_assign(p, @2, OP_ADD, $1, $3); }
	| expr ASSIGN expr                                             { $$ = make_assign(p, @2, $2, $1, $3); }
	;

/* The left side of `in`: an `in` inside of it stands in parentheses. */
tuple:
	  tuple_key                                                    { $$ = (struct node_list){ $1, $1 }; }
	| tuple ',' tuple_key                                          { $$ = make_list_add($1, $3); }
	;

tuple_key:
	  relation
	| '*'                                                          { $$ = make_simple(p, NODE_STAR, @$, NULL); }
	;

keys:
	  keys_                                                        { $$ = $1.first; }
	;

keys_:
	  key                                                          { $$ = (struct node_list){ $1, $1 }; }
	| keys_ ',' key                                                { $$ = make_list_add($1, $3); }
	;

key:
	  expr
	| '*'                                                          { $$ = make_simple(p, NODE_STAR, @$, NULL); }
	;

args:
	  %empty                                                       { $$ = NULL; }
	| args_                                                        { $$ = $1.first; }
	;

args_:
	  expr                                                         { $$ = (struct node_list){ $1, $1 }; }
	| args_ ',' expr                                               { $$ = make_list_add($1, $3); }
	;

%%

/* Drops target variables, which are refused as well where only a name can stand. */
static int drop_targets(yysymbol_kind_t *expected, int n)
{
	int kept = 0;

	for (int i = 0; i < n; i++)
		if (expected[i] == YYSYMBOL_NUMBER)
			return n;
	for (int i = 0; i < n; i++)
		if (expected[i] != YYSYMBOL_TARGET)
			expected[kept++] = expected[i];
	return kept;
}

/*
 * Describes the tokens that could stand here, in plain words: one by one where there are
 * few, else by the kind that they have in common.
 */
static const char *describe_expected(const yypcontext_t *ctx, struct parser *p, enum syntax_place *place)
{
	yysymbol_kind_t expected[YYNTOKENS];
	int n = drop_targets(expected, yypcontext_expected_tokens(ctx, expected, YYNTOKENS));
	bool number = false, operator = false, close = false, semicolon = false, body = false, statement = false, item = false;
	const char *text = "";

	for (int i = 0; i < n; i++) {
		number |= expected[i] == YYSYMBOL_NUMBER;
		operator |= expected[i] == YYSYMBOL_COMPARE;
		close |= !strcmp(yysymbol_name(expected[i]), "')'");
		semicolon |= !strcmp(yysymbol_name(expected[i]), "';'");
		body |= !strcmp(yysymbol_name(expected[i]), "'{'");
		statement |= expected[i] == YYSYMBOL_BREAK;
		item |= expected[i] == YYSYMBOL_GLOBAL;
	}
	*place = item ? PLACE_ITEM : p->braces_before ? PLACE_BODY : PLACE_HEAD;
	if (n > 0 && n <= 4) {
		for (int i = 0; i < n; i++)
			text = arena_printf(p->s->arena, "%s%s%s", text, i == 0 ? "" : i == n - 1 ? " or " : ", ", yysymbol_name(expected[i]));
		return text;
	}
	if (item)
		return "'probe', 'global', 'function' or embedded C";
	if (statement)
		return operator ? "an operator or a statement" : "a statement";
	if (body && !number)
		return "the body in '{ }'";
	if (operator)
		return close ? "an operator or ')'" : semicolon ? "an operator or ';'" : "an operator";
	return number ? "an expression" : NULL;
}

static const char *found_text(const yypcontext_t *ctx, struct parser *p)
{
	struct loc loc = *yypcontext_location(ctx);
	size_t len = loc.end - loc.begin;

	if (yypcontext_token(ctx) == YYSYMBOL_YYEOF)
		return "the end of the file";
	if (!loc.source || !len)
		return yysymbol_name(yypcontext_token(ctx));
	return arena_printf(p->s->arena, "'%.*s'", (int)(len > 40 ? 40 : len), loc.source->text + loc.begin);
}

static const char *text_before(const struct parser *p)
{
	struct loc loc = p->from ? p->tokens.data[p->from - 1].loc : (struct loc){ 0 };
	size_t len = loc.end - loc.begin;

	if (!loc.source || !len)
		return "the text before it";
	return arena_printf(p->s->arena, "'%.*s'", (int)(len > 40 ? 40 : len), loc.source->text + loc.begin);
}

static int yyreport_syntax_error(const yypcontext_t *ctx, struct parser *p)
{
	struct loc loc = *yypcontext_location(ctx);
	enum syntax_place place = PLACE_BODY;
	const char *expected, *found, *text;

	p->hists.count = 0;
	if (p->failed_here || diag_is_full(p->s)) {
		stap_yyerror(&loc, p, "");
		return 0;
	}
	expected = describe_expected(ctx, p, &place);
	found = found_text(ctx, p);
	text = teach_syntax(p, place, &loc);
	if (!text && expected)
		text = arena_printf(p->s->arena, "expected %s, found %s", expected, found);
	if (!text)
		text = arena_printf(p->s->arena, "%s cannot follow %s", found, text_before(p));
	stap_yyerror(&loc, p, text);
	teach_opener(p);
	return 0;
}
