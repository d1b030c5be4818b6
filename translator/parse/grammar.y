/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grammar. What a rule means is in make.c and declare.c: actions are constructor calls. */
%code requires {

#include "parse/parser.h"
}
%code {

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/session.h"
#include "parse/feed.h"

#define YYLLOC_DEFAULT(cur, rhs, n)                                                                   \
	do {                                                                                           \
		if (n)                                                                                 \
			(cur) = loc_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n));                           \
		else {                                                                                 \
			(cur) = YYRHSLOC(rhs, 0);                                                      \
			(cur).begin = (cur).end;                                                       \
		}                                                                                      \
	} while (0)

static struct each_key each_key_add(struct each_key list, struct each_key item);
static struct node_list list_add(struct node_list list, struct node *item);
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
%type <alternatives> components component_alt brace_list
%type <component> component
%type <each_array> each_source each_array
%type <each_head> each_head
%type <each_key> each_keys each_name each_names
%type <list> statements keys_ args_
%type <node> block condition expr statement else_part optional_expr limit catch_var keys args key
%type <number> literal_number direction
%type <points> points alias_names point
%type <suffix> suffix
%type <symbol> global param
%type <symbols> globals params params_
%type <tok> literal
%type <type> return_type type

/* An optional semicolon: what can go on with a statement does. */
%precedence STATEMENT_END
%precedence ';' WORD TARGET NUMBER STRING EMBED ATWORD STATOP CAST ATVAR
%precedence WITHOUT_ELSE
%precedence ELSE
%right '=' ASSIGN PLUS_ASSIGN
%right '?' ':'
%left OROR
%left ANDAND
%left '|'
%left '^'
%left '&'
%precedence IN
%left COMPARE MATCH
%left SHIFT
%left '.'
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY '!' '~'
%precedence INCDEC
%precedence '[' '(' ARROW

%%

program:
	  %empty
	| program item                                                 { p->failed_here = false; }
	| program error                                                { recover_item(p, yychar != STAP_YYEMPTY); yyclearin; yyerrok; }
	;

item:
	  ';'
	| PROBE points block                                           { declare_probe(p, @$, $2, $3); }
	| PROBE wrong_points block
	| PROBE alias_names '=' points block                           { declare_alias(p, @$, $2, $4, false, $5, NULL); }
	| PROBE alias_names '=' points block ',' block                 { declare_alias(p, @$, $2, $4, false, $5, $7); }
	| PROBE alias_names PLUS_ASSIGN points block                   { declare_alias(p, @$, $2, $4, true, $5, NULL); }
	| GLOBAL globals                                               { declare_globals(p, $2, false); }
	| PRIVATE GLOBAL globals                                       { declare_globals(p, $3, true); }
	| PRIVATE globals                                              { declare_globals(p, $2, true); }
	| function
	| EMBED                                                        { declare_embed(p, &$1); }
	;

wrong_points:
	  error                                                        { recover_point(p, yychar != STAP_YYEMPTY); yyclearin; yyerrok; }
	;

alias_names:
	  point
	| alias_names '=' point                                        { $$ = $1; for (size_t i = 0; i < $3.count; i++) vec_push(p->s->arena, &$$, $3.data[i]); }
	;

points:
	  point
	| points ',' point                                             { $$ = $1; for (size_t i = 0; i < $3.count; i++) vec_push(p->s->arena, &$$, $3.data[i]); }
	;

point:
	  components suffix condition                                  { $$ = make_points(p, @1, $1, $2, $3); }
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
	| components '.' component_alt                                 { $$ = alternatives_join(p, $1, $3); }
	;

component_alt:
	  component                                                    { $$ = alternatives_single(p, $1); }
	| BRACE_OPEN brace_list BRACE_CLOSE                            { $$ = $2; }
	;

brace_list:
	  components
	| brace_list ',' components                                    { $$ = alternatives_either(p, $1, $3); }
	;

component:
	  COMPONENT                                                    { $$ = (struct component){ .name = $1.text, .arg_kind = ARG_NONE, .loc = @1 }; }
	| COMPONENT '(' STRING ')'                                     { $$ = (struct component){ .name = $1.text, .arg_kind = ARG_STRING, .string = $3.text, .loc = @$, .arg_loc = @3 }; }
	| COMPONENT '(' literal_number ')'                             { $$ = (struct component){ .name = $1.text, .arg_kind = ARG_NUMBER, .number = $3, .loc = @$, .arg_loc = @3 }; }
	;

literal_number:
	  NUMBER                                                       { $$ = $1.number; }
	| '-' NUMBER                                                   { $$ = (int64_t)-(uint64_t)$2.number; }
	;

globals:
	  global                                                       { $$ = (symbol_list){ 0 }; vec_push(p->s->arena, &$$, $1); }
	| globals ',' global                                           { $$ = $1; vec_push(p->s->arena, &$$, $3); }
	;

global:
	  WORD return_type                                             { $$ = make_symbol(p, SYMBOL_GLOBAL, &$1, $2); }
	| global '%'                                                   { $$ = $1; $$->wrap = true; }
	| global '[' literal_number ']'                                { $$ = $1; $$->max_entries = $3; if ($3 < 1) parser_error(p, @3, "an array has room for at least 1 entry"); }
	| global '=' literal                                           { $$ = $1; $$->init = $3.kind == TOKEN_STRING ? make_string(p, &$3) : make_number(p, @3, $3.number); }
	;

literal:
	  STRING
	| literal_number                                               { $$ = (struct token){ .kind = TOKEN_NUMBER, .number = $1 }; }
	;

function:
	  FUNCTION WORD return_type '(' params ')' block               { declare_function(p, @2, &$2, $3, $5, 0, false, false, $7, NULL); }
	| FUNCTION WORD return_type '(' params ')' EMBED               { declare_function(p, @2, &$2, $3, $5, 0, false, false, NULL, &$7); }
	| FUNCTION WORD return_type '(' params ')' ':' NUMBER block    { declare_function(p, @2, &$2, $3, $5, $8.number, true, false, $9, NULL); }
	| FUNCTION WORD return_type '(' params ')' ':' NUMBER EMBED    { declare_function(p, @2, &$2, $3, $5, $8.number, true, false, NULL, &$9); }
	| PRIVATE FUNCTION WORD return_type '(' params ')' block       { declare_function(p, @3, &$3, $4, $6, 0, false, true, $8, NULL); }
	| PRIVATE FUNCTION WORD return_type '(' params ')' EMBED       { declare_function(p, @3, &$3, $4, $6, 0, false, true, NULL, &$8); }
	| PRIVATE FUNCTION WORD return_type '(' params ')' ':' NUMBER block { declare_function(p, @3, &$3, $4, $6, $9.number, true, true, $10, NULL); }
	| PRIVATE FUNCTION WORD return_type '(' params ')' ':' NUMBER EMBED { declare_function(p, @3, &$3, $4, $6, $9.number, true, true, NULL, &$10); }
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
	;

params_:
	  param                                                        { $$ = (symbol_list){ 0 }; vec_push(p->s->arena, &$$, $1); }
	| params_ ',' param                                            { $$ = $1; vec_push(p->s->arena, &$$, $3); }
	;

param:
	  WORD return_type                                             { $$ = make_symbol(p, SYMBOL_PARAM, &$1, $2); }
	;

block:
	  '{' statements '}'                                           { $$ = make_block(p, @$, $2.first); }
	;

statements:
	  %empty                                                       { $$ = (struct node_list){ 0 }; }
	| statements statement                                         { $$ = list_add($1, $2); p->failed_here = p->unwind > 0; }
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
	| RETURN semicolon %prec STATEMENT_END                         { $$ = make_simple(p, NODE_RETURN, @1, NULL); }
	| RETURN expr semicolon                                        { $$ = make_simple(p, NODE_RETURN, @$, $2); }
	| DELETE expr semicolon                                        { $$ = make_simple(p, NODE_DELETE, @$, $2); }
	| TRY block CATCH catch_var block                              { $$ = make_try(p, @$, $2, $4, $5); }
	;

else_part:
	  %empty %prec WITHOUT_ELSE                                    { $$ = NULL; }
	| ELSE statement                                               { $$ = $2; }
	;

catch_var:
	  %empty                                                       { $$ = NULL; }
	| '(' WORD ')'                                                 { $$ = make_name(p, &$2); }
	| '(' ')'                                                      { $$ = NULL; }
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
	| each_names ',' each_name                                     { $$ = each_key_add($1, $3); }
	;

each_name:
	  WORD direction                                               { $$ = (struct each_key){ .names = make_name(p, &$1), .count = 1, .sort_column = $2 ? 1 : 0, .sort_direction = (int)$2 }; }
	;

each_source:
	  each_array direction                                         { $$ = $1; $$.direction = (int)$2; }
	| each_array STATOP direction                                  { $$ = $1; $$.direction = (int)$3; $$.by_stat = true; $$.stat = (enum stat_op)$2.number; }
	;

each_array:
	  WORD                                                         { $$ = (struct each_array){ .array = make_name(p, &$1) }; }
	| WORD '[' keys ']'                                            { $$ = (struct each_array){ .array = make_name(p, &$1), .slice = $3, .is_slice = true }; }
	| ATWORD '(' args ')'                                          { $$ = (struct each_array){ .array = make_atword(p, @$, &$1, $3) }; }
	;

expr:
	  NUMBER                                                       { $$ = make_number(p, @1, $1.number); }
	| STRING                                                       { $$ = make_string(p, &$1); }
	| WORD %prec STATEMENT_END                                     { $$ = make_name(p, &$1); }
	| TARGET                                                       { $$ = make_target(p, &$1); }
	| EMBED                                                        { $$ = make_embed(p, &$1); }
	| '(' expr ')'                                                 { $$ = $2; }
	| WORD '(' args ')'                                            { $$ = make_call(p, @$, &$1, $3); }
	| STATOP '(' args ')'                                          { $$ = make_atword(p, @$, &$1, $3); }
	| ATWORD '(' args ')'                                          { $$ = make_atword(p, @$, &$1, $3); }
	| CAST '(' expr ',' STRING ')'                                 { $$ = make_cast(p, @$, $3, &$5, NULL); }
	| CAST '(' expr ',' STRING ',' STRING ')'                      { $$ = make_cast(p, @$, $3, &$5, &$7); }
	| ATVAR '(' STRING ')'                                         { $$ = make_atvar(p, @$, &$3, NULL); }
	| ATVAR '(' STRING ',' STRING ')'                              { $$ = make_atvar(p, @$, &$3, &$5); }
	| expr ARROW WORD                                              { $$ = make_member(p, $1, &$3); }
	| expr '[' keys ']'                                            { $$ = make_index(p, @$, $1, $3); }
	| expr INCDEC                                                  { $$ = make_incdec(p, @$, @2, $2, false, $1); }
	| INCDEC expr %prec UNARY                                      { $$ = make_incdec(p, @$, @1, $1, true, $2); }
	| '-' expr %prec UNARY                                         { $$ = make_unary(p, @$, @1, OP_NEG, $2); }
	| '+' expr %prec UNARY                                         { $$ = make_unary(p, @$, @1, OP_PLUS, $2); }
	| '!' expr %prec UNARY                                         { $$ = make_unary(p, @$, @1, OP_NOT, $2); }
	| '~' expr %prec UNARY                                         { $$ = make_unary(p, @$, @1, OP_COMPL, $2); }
	| '&' expr %prec UNARY                                         { $$ = make_address(p, @$, @1, $2); }
	| expr '*' expr                                                { $$ = make_binary(p, @2, OP_MUL, $1, $3); }
	| expr '/' expr                                                { $$ = make_binary(p, @2, OP_DIV, $1, $3); }
	| expr '%' expr                                                { $$ = make_binary(p, @2, OP_MOD, $1, $3); }
	| expr '+' expr                                                { $$ = make_binary(p, @2, OP_ADD, $1, $3); }
	| expr '-' expr                                                { $$ = make_binary(p, @2, OP_SUB, $1, $3); }
	| expr '.' expr                                                { $$ = make_concat(p, @2, $1, $3); }
	| expr SHIFT expr                                              { $$ = make_binary(p, @2, $2, $1, $3); }
	| expr COMPARE expr                                            { $$ = make_binary(p, @2, $2, $1, $3); }
	| expr MATCH STRING                                            { $$ = make_regex(p, @2, $2, $1, &$3); }
	| expr IN WORD                                                 { $$ = make_in(p, @$, @2, $1, &$3); }
	| '[' keys ']' IN WORD                                         { $$ = make_in(p, @$, @4, $2, &$5); }
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

keys:
	  keys_                                                        { $$ = $1.first; }
	;

keys_:
	  key                                                          { $$ = (struct node_list){ $1, $1 }; }
	| keys_ ',' key                                                { $$ = list_add($1, $3); }
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
	| args_ ',' expr                                               { $$ = list_add($1, $3); }
	;

%%

static struct node_list list_add(struct node_list list, struct node *item)
{
	if (list.last)
		list.last->next = item;
	else
		list.first = item;
	list.last = item;
	return list;
}

static struct each_key each_key_add(struct each_key list, struct each_key item)
{
	list.names = node_append(list.names, item.names);
	list.count++;
	list.sorts += item.sort_direction && list.sort_direction;
	if (item.sort_direction && !list.sort_direction) {
		list.sort_column = (int)list.count;
		list.sort_direction = item.sort_direction;
	}
	return list;
}

/* What could stand here, in plain words: single tokens where there are few, else what they have in common. */
static const char *describe_expected(const yypcontext_t *ctx, struct parser *p, enum syntax_place *place)
{
	yysymbol_kind_t expected[YYNTOKENS];
	int n = yypcontext_expected_tokens(ctx, expected, YYNTOKENS);
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

static int yyreport_syntax_error(const yypcontext_t *ctx, struct parser *p)
{
	struct loc loc = *yypcontext_location(ctx);
	enum syntax_place place = PLACE_BODY;
	const char *expected, *found, *text;

	if (p->failed_here || diag_is_full(p->s)) {
		stap_yyerror(&loc, p, "");
		return 0;
	}
	expected = describe_expected(ctx, p, &place);
	found = found_text(ctx, p);
	text = teach_syntax(p, place, &loc);
	if (!text && expected)
		text = arena_printf(p->s->arena, "expected %s, found %s", expected, found);
	stap_yyerror(&loc, p, text ? text : arena_printf(p->s->arena, "unexpected %s", found));
	teach_opener(p);
	return 0;
}
