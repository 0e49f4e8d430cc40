// What is loaded again: a module without variables in device memory is read once, one with
// state is always fresh; and which variables have a place there at all.
#include "emu_kernel.h"

#include "launch/emu_device.h"

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
#define BODY                                                                             \
    ".visible .entry k(.param .u64 p) {\n"                                               \
    ".reg .b32 %t<4>; .reg .b64 %x<4>;\nld.param.u64 %x0, [p];\n"

// Counts its launches in a variable, beside two that nothing means and one that a third
// one begins with the address of.
static const char counts[] =
    HEAD ".global .align 4 .u32 UNUSED = 7;\n.const .align 4 .u32 FIXED = 9;\n"
         ".global .align 4 .u32 count;\n.global .align 4 .u32 target = 5;\n"
         ".global .align 8 .u64 place = target;\n" BODY
         "ld.global.u32 %t0, [count]; add.u32 %t0, %t0, 1;\n"
         "st.global.u32 [count], %t0; st.global.u32 [%x0], %t0; ret;\n}\n";

static const char plain[] =
    HEAD ".global .align 4 .u32 UNUSED = 7;\n" BODY
         "mov.u32 %t0, 3; st.global.u32 [%x0], %t0; ret;\n}\n"
         ".visible .entry l(.param .u64 p) {\n.reg .b32 %t<4>; .reg .b64 %x<4>;\n"
         "ld.param.u64 %x0, [p]; mov.u32 %t0, 4; st.global.u32 [%x0], %t0; ret;\n}\n";

static uint32_t run(struct emu *emu)
{
    uint32_t out = 0;
    hone_devptr p = emu_buffer(emu, &out, sizeof out);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    const struct hone_launch launch = emu_geometry(&args, 1, 1);
    if (!emu_run(emu, &launch)) fail_msg("%s", emu->fault.reason);
    emu_fetch(emu, &out, p, sizeof out);
    emu->dev->fns->free(emu->dev, p);
    return out;
}

static void load(struct emu *emu, const char *text, const char *entry)
{
    if (!emu_load(emu, text, entry)) fail_msg("%s", emu->fault.reason);
}

static size_t allocations(const struct emu *emu)
{
    const struct hone_emu_device *device = emu->dev->priv;
    return device->memory.count;
}

static void *find(struct emu *emu, const char *name, size_t bytes)
{
    static uint64_t value;
    hone_devptr at = 0;
    size_t there = 0;
    value = 0;
    assert_ok(
        emu->dev->fns->find_variable(emu->dev, emu->module, name, &at, &there, &emu->err),
        emu->err);
    assert_int_equal(there, bytes);
    emu_fetch(emu, &value, at, bytes);
    return &value;
}

static void a_module_without_state_is_read_once(void **state)
{
    struct emu emu;
    (void)state;
    emu_open(&emu);
    load(&emu, plain, "k");
    const struct hone_module *first = emu.module;
    assert_int_equal(run(&emu), 3);
    char *again = strdup(plain); // equal text at another place
    assert_non_null(again);
    if (!emu_load_as(&emu, again, "k", 99)) fail_msg("%s", emu.fault.reason);
    free(again);
    assert_ptr_equal(emu.module, first);
    assert_int_equal(emu.module->resources.registers, 99);
    assert_false(emu.module->ran);
    assert_int_equal(run(&emu), 3);
    emu_close(&emu);
}

static void another_text_or_entry_is_read(void **state)
{
    char other[sizeof plain];
    struct emu emu;
    (void)state;
    memcpy(other, plain, sizeof plain);
    strstr(other, "%t0, 3")[5] = '8';
    emu_open(&emu);
    load(&emu, plain, "k");
    assert_int_equal(run(&emu), 3);
    load(&emu, other, "k");
    assert_int_equal(run(&emu), 8);
    load(&emu, other, "l");
    assert_int_equal(run(&emu), 4);
    load(&emu, plain, "k");
    assert_int_equal(run(&emu), 3);
    emu_close(&emu);
}

// Code is made for an executor, and registers lie as the device has them.
static void another_executor_reads_anew(void **state)
{
    struct emu emu;
    (void)state;
    emu_open(&emu);
    load(&emu, plain, "k");
    const struct hone_emu_device *device = emu.dev->priv;
    emu.dev->fns->unload(emu.dev, emu.module);
    emu.module = NULL;
    assert_non_null(device->kept);
    assert_true(hone_emu_set_executor(emu.dev, "base"));
    assert_null(device->kept);
    load(&emu, plain, "k");
    assert_int_equal(run(&emu), 3);
    emu.dev->fns->unload(emu.dev, emu.module);
    emu.module = NULL;
    hone_emu_set_own_places(emu.dev, true);
    assert_null(device->kept);
    load(&emu, plain, "k");
    assert_int_equal(run(&emu), 3);
    emu_close(&emu);
}

static void what_has_state_is_loaded_fresh(void **state)
{
    struct emu emu;
    (void)state;
    emu_open(&emu);
    for (int time = 0; time < 3; time++) {
        load(&emu, counts, "k");
        assert_int_equal(run(&emu), 1);
        assert_int_equal(run(&emu), 2);
    }
    emu_close(&emu);
}

static void what_nothing_means_takes_no_memory(void **state)
{
    struct emu emu;
    (void)state;
    emu_open(&emu);
    load(&emu, plain, "k");
    assert_int_equal(allocations(&emu), 0);
    load(&emu, counts, "k"); // the counter, and what another one begins with
    assert_int_equal(allocations(&emu), 2);
    emu_close(&emu);
}

static void what_is_asked_for_has_its_value(void **state)
{
    struct emu emu;
    uint32_t value, pointed = 0;
    uint64_t address;
    (void)state;
    emu_open(&emu);
    load(&emu, counts, "k");
    memcpy(&value, find(&emu, "UNUSED", 4), 4);
    assert_int_equal(value, 7);
    memcpy(&value, find(&emu, "FIXED", 4), 4);
    assert_int_equal(value, 9);
    memcpy(&address, find(&emu, "place", 8), 8);
    emu_fetch(&emu, &pointed, address, sizeof pointed);
    assert_int_equal(pointed, 5);
    assert_int_equal(allocations(&emu), 5);
    emu_close(&emu);
}

// Somebody wrote to it: the next load must not find that.
static void what_was_asked_for_is_fresh_again(void **state)
{
    struct emu emu;
    uint32_t value = 8;
    hone_devptr at = 0;
    size_t bytes = 0;
    (void)state;
    emu_open(&emu);
    load(&emu, plain, "k");
    assert_ok(
        emu.dev->fns->find_variable(emu.dev, emu.module, "UNUSED", &at, &bytes, &emu.err),
        emu.err);
    assert_ok(emu.dev->fns->copy(emu.dev, HONE_TO_DEVICE, at, &value, 4, &emu.err),
              emu.err);
    load(&emu, plain, "k");
    assert_int_equal(allocations(&emu), 0);
    memcpy(&value, find(&emu, "UNUSED", 4), 4);
    assert_int_equal(value, 7);
    emu_close(&emu);
}

// The memory of a GPU has to have room for large ones, whoever means them.
static void large_variables_take_their_room(void **state)
{
    struct emu emu;
    (void)state;
    emu_open(&emu);
    load(&emu, HEAD ".global .align 4 .b8 large[65536];\n" BODY "ret;\n}\n", "k");
    assert_int_equal(allocations(&emu), 1);
    emu_close(&emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_module_without_state_is_read_once),
    cmocka_unit_test(another_text_or_entry_is_read),
    cmocka_unit_test(another_executor_reads_anew),
    cmocka_unit_test(what_has_state_is_loaded_fresh),
    cmocka_unit_test(what_nothing_means_takes_no_memory),
    cmocka_unit_test(what_is_asked_for_has_its_value),
    cmocka_unit_test(what_was_asked_for_is_fresh_again),
    cmocka_unit_test(large_variables_take_their_room),
};
HONE_TEST_MAIN(tests)
