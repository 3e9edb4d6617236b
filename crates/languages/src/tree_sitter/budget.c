// tree-sitter with a limit to what it does for a source.
//
// tree-sitter recovers from anything, but can be asked to stop between tokens only, and may take hours over
// one of them. All the while it asks for memory. When it has asked for too much, we leave it where it is
// and give back what it holds: no other way leads out of the middle of it.

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

#ifdef _MSC_VER
#define THREAD_LOCAL __declspec(thread)
#else
#define THREAD_LOCAL _Thread_local
#endif

// The source is read in parts of so many bytes, and each of them is so many steps.
#define PART 32
#define STEPS_OF_PART 8
// Asking for memory is a step, and one more for each block of so many bytes.
#define BLOCK 64

// Memory that tree-sitter was given, or has given back.
typedef struct {
  void *memory;
  bool is_given;
} Event;

// What tree-sitter has done on this thread since `patois_parse` was called.
typedef struct {
  bool is_limited;
  uint64_t n_left;
  jmp_buf way_out;
  Event *events;
  size_t n_events, capacity;
} Budget;

static THREAD_LOCAL Budget budget;

static void spend(uint64_t n_steps) {
  if (!budget.is_limited) return;
  if (budget.n_left < n_steps) longjmp(budget.way_out, 1);
  budget.n_left -= n_steps;
}

static void note(void *memory, bool is_given) {
  if (!budget.is_limited || !memory) return;
  if (budget.n_events == budget.capacity) {
    budget.capacity = budget.capacity ? 2 * budget.capacity : 1024;
    budget.events = realloc(budget.events, budget.capacity * sizeof(Event));
    if (!budget.events) abort();
  }
  budget.events[budget.n_events++] = (Event){memory, is_given};
}

// tree-sitter cannot go on without memory, and ends the program itself where there is none.
static void *given(void *memory, size_t size) {
  if (!memory && size > 0) abort();
  note(memory, true);
  return memory;
}

static void *limited_malloc(size_t size) {
  spend(1 + size / BLOCK);
  return given(malloc(size), size);
}

static void *limited_calloc(size_t count, size_t size) {
  spend(1 + count * size / BLOCK);
  return given(calloc(count, size), count * size);
}

static void *limited_realloc(void *memory, size_t size) {
  spend(1 + size / BLOCK);
  note(memory, false);
  return given(realloc(memory, size), size);
}

static void limited_free(void *memory) {
  note(memory, false);
  free(memory);
}

static int by_address(const void *a, const void *b) {
  uintptr_t one = (uintptr_t)((const Event *)a)->memory;
  uintptr_t other = (uintptr_t)((const Event *)b)->memory;
  return (one > other) - (one < other);
}

// Gives back what tree-sitter still holds: what it was given once more often than it gave it back.
static void give_all_back(void) {
  qsort(budget.events, budget.n_events, sizeof(Event), by_address);
  for (size_t i = 0; i < budget.n_events;) {
    void *memory = budget.events[i].memory;
    int n_held = 0;
    for (; i < budget.n_events && budget.events[i].memory == memory; i++) {
      n_held += budget.events[i].is_given ? 1 : -1;
    }
    if (n_held > 0) free(memory);
  }
}

static void end_limit(void) {
  free(budget.events);
  budget = (Budget){0};
}

typedef struct {
  const char *text;
  uint32_t length;
} Source;

static const char *read_part(void *payload, uint32_t at, TSPoint point, uint32_t *n_read) {
  (void)point;
  const Source *source = payload;
  uint32_t n_left = at < source->length ? source->length - at : 0;
  spend(STEPS_OF_PART);
  *n_read = n_left < PART ? n_left : PART;
  return source->text + (at < source->length ? at : source->length);
}

// To be called once, before anything else of tree-sitter.
void patois_limit_tree_sitter(void) {
  ts_set_allocator(limited_malloc, limited_calloc, limited_realloc, limited_free);
}

// Parses a source in UTF-8; null where that takes more steps than it may.
TSTree *patois_parse(const TSLanguage *language, const char *text, uint32_t length, uint64_t n_steps) {
  Source source = {text, length};
  TSInput input = {.payload = &source, .read = read_part, .encoding = TSInputEncodingUTF8};
  budget.is_limited = true;
  budget.n_left = n_steps;
  if (setjmp(budget.way_out)) {
    give_all_back();
    end_limit();
    return NULL;
  }
  TSParser *parser = ts_parser_new();
  TSTree *tree = NULL;
  if (ts_parser_set_language(parser, language)) tree = ts_parser_parse(parser, NULL, input);
  ts_parser_delete(parser);
  end_limit();
  return tree;
}
