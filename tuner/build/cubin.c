// The layout of cubins is not documented. What is used here agrees with ptxas -v for
// sm_80, sm_90a and sm_120, with CUDA 12.4 and 13.0 (tests/unit/test_nvrtc.c):
//   .nv.info          records for all kernels: registers, stack frame, by symbol
//   .nv.info.KERNEL   records for one kernel: launch bounds, places of spills
//   .nv.shared.KERNEL static shared memory; from sm_90 on with 1024 reserved bytes
//   .text.KERNEL      code, 16 bytes an instruction
#include "cubin.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

enum { EM_NVIDIA_CUDA = 190, RESERVED_SHARED_BYTES = 1024 };

// Attributes of .nv.info records: u8 format, u8 attribute, u16 value or payload bytes.
enum {
    FORMAT_SIZED = 4, // the u16 is the size of a payload that follows
    ATTR_MAX_THREADS = 0x05,
    ATTR_REQUIRED_THREADS = 0x10,
    ATTR_FRAME_SIZE = 0x11,
    ATTR_REGISTERS = 0x2f,
    ATTR_CLUSTER_SIZE = 0x3d,
    ATTR_CLUSTERED = 0x3e, // no value
    ATTR_MAX_CLUSTER = 0x3f,
    ATTR_ANNOTATIONS = 0x55, // pairs (kind, code offset); kind 1: spill instructions
    ANNOTATION_SPILL = 1
};

struct slice {
    const unsigned char *data;
    size_t size;
};

struct elf {
    struct slice file;
    Elf64_Ehdr header;
    struct slice names; // of the sections
};

// An empty slice where the range is not inside.
static struct slice part(struct slice whole, uint64_t offset, uint64_t size)
{
    if (!size || offset > whole.size || size > whole.size - offset)
        return (struct slice){0};
    return (struct slice){whole.data + offset, (size_t)size};
}

static bool copy_at(void *out, struct slice from, uint64_t offset, size_t size)
{
    struct slice found = part(from, offset, size);
    if (found.size != size) return false;
    memcpy(out, found.data, size);
    return true;
}

static uint32_t word_at(struct slice from, uint64_t offset)
{
    uint32_t value = 0;
    copy_at(&value, from, offset, sizeof value);
    return value;
}

// The text at offset of a string table, "" when it does not end inside.
static const char *string_at(struct slice table, uint64_t offset)
{
    if (offset >= table.size) return "";
    const char *text = (const char *)table.data + offset;
    return memchr(text, '\0', table.size - (size_t)offset) ? text : "";
}

static bool section_header(const struct elf *elf, Elf64_Shdr *out, uint64_t index)
{
    return index < elf->header.e_shnum &&
           copy_at(out, elf->file, elf->header.e_shoff + index * sizeof *out,
                   sizeof *out);
}

static struct slice contents(const struct elf *elf, const Elf64_Shdr *section)
{
    if (section->sh_type == SHT_NOBITS) return (struct slice){0};
    return part(elf->file, section->sh_offset, section->sh_size);
}

static bool elf_open(struct elf *elf, const void *data, size_t size)
{
    *elf = (struct elf){.file = {data, size}};
    Elf64_Shdr names;
    if (!data || !copy_at(&elf->header, elf->file, 0, sizeof elf->header)) return false;
    if (memcmp(elf->header.e_ident, ELFMAG, SELFMAG) != 0) return false;
    if (elf->header.e_ident[EI_CLASS] != ELFCLASS64) return false;
    if (elf->header.e_machine != EM_NVIDIA_CUDA) return false;
    if (elf->header.e_shentsize != sizeof(Elf64_Shdr)) return false;
    if (!section_header(elf, &names, elf->header.e_shstrndx)) return false;
    elf->names = contents(elf, &names);
    return elf->names.size > 0;
}

static bool find_section(const struct elf *elf, Elf64_Shdr *out, const char *name)
{
    for (uint64_t i = 0; section_header(elf, out, i); i++)
        if (strcmp(string_at(elf->names, out->sh_name), name) == 0) return true;
    return false;
}

// The section PREFIX.KERNEL, as .text.sgemm.
static bool kernel_section(const struct elf *elf, Elf64_Shdr *out, const char *prefix,
                           const char *kernel)
{
    char name[512];
    int length = snprintf(name, sizeof name, "%s.%s", prefix, kernel);
    return length > 0 && (size_t)length < sizeof name && find_section(elf, out, name);
}

// Index of the function symbol called name.
static bool find_symbol(const struct elf *elf, uint32_t *index, const char *name)
{
    Elf64_Shdr symbols, strings;
    if (!find_section(elf, &symbols, ".symtab")) return false;
    if (!section_header(elf, &strings, symbols.sh_link)) return false;
    struct slice table = contents(elf, &symbols), texts = contents(elf, &strings);
    Elf64_Sym symbol;
    for (uint32_t i = 0; copy_at(&symbol, table, i * sizeof symbol, sizeof symbol); i++) {
        *index = i;
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
            strcmp(string_at(texts, symbol.st_name), name) == 0)
            return true;
    }
    return false;
}

struct record {
    unsigned attribute;
    struct slice payload; // empty when the value is in the record
};

// The record at *offset; false at the end.
static bool next_record(struct slice info, uint64_t *offset, struct record *out)
{
    uint32_t word;
    if (!copy_at(&word, info, *offset, sizeof word)) return false;
    bool sized = (word & 0xff) == FORMAT_SIZED;
    uint32_t size = sized ? word >> 16 : 0;
    out->attribute = word >> 8 & 0xff;
    out->payload = part(info, *offset + sizeof word, size);
    *offset += sizeof word + size;
    return out->payload.size == size;
}

static void read_global_info(struct hone_cubin_kernel *out, struct slice info,
                             uint32_t symbol)
{
    struct record record;
    for (uint64_t at = 0; next_record(info, &at, &record);) {
        if (record.payload.size != 8 || word_at(record.payload, 0) != symbol) continue;
        int32_t value = (int32_t)word_at(record.payload, 4);
        if (record.attribute == ATTR_REGISTERS) out->resources.registers = value;
        if (record.attribute == ATTR_FRAME_SIZE) out->resources.stack_bytes = value;
    }
}

// Bytes that the spill at this offset of the code moves. The opcode is in the low 12
// bits, the width in bits 73 to 75 of the 16-byte word: 4 is 4 bytes, 5 is 8, 6 is 16.
static void count_spill(struct hone_resources *resources, struct slice code,
                        uint32_t offset)
{
    enum { STORE_LOCAL = 0x387, LOAD_LOCAL = 0x983 };
    uint32_t opcode = word_at(code, offset) & 0xfff;
    uint32_t width = word_at(code, (uint64_t)offset + 8) >> 9 & 7;
    int32_t bytes = width >= 4 && width <= 6 ? 4 << (width - 4) : 0;
    if (opcode == STORE_LOCAL) resources->spill_store_bytes += bytes;
    if (opcode == LOAD_LOCAL) resources->spill_load_bytes += bytes;
}

static int32_t thread_count(struct slice dimensions)
{
    uint64_t count = 1;
    for (uint64_t i = 0; i < 3; i++)
        count *= word_at(dimensions, 4 * i) & 0xffff;
    return count > 0 && count <= INT32_MAX ? (int32_t)count : -1;
}

static void read_clusters(struct hone_cluster_rules *out, const struct record *record)
{
    out->wanted |= record->attribute == ATTR_CLUSTERED;
    if (record->attribute == ATTR_MAX_CLUSTER) out->most = word_at(record->payload, 0);
    for (uint64_t i = 0; i < 3 && record->attribute == ATTR_CLUSTER_SIZE; i++)
        out->size[i] = word_at(record->payload, 4 * i);
}

static void add_spills(struct hone_resources *resources, struct slice annotations,
                       struct slice code)
{
    for (uint64_t i = 0; i + 8 <= annotations.size; i += 8) {
        if (word_at(annotations, i) != ANNOTATION_SPILL) continue;
        if (resources->spill_store_bytes < 0)
            resources->spill_store_bytes = resources->spill_load_bytes = 0;
        count_spill(resources, code, word_at(annotations, i + 4));
    }
}

static void read_kernel_info(struct hone_cubin_kernel *out, struct slice info,
                             struct slice code)
{
    struct hone_resources *resources = &out->resources;
    // A frame without annotations holds an array or, before CUDA 13, spills: not known.
    if (resources->stack_bytes == 0)
        resources->spill_store_bytes = resources->spill_load_bytes = 0;
    struct record record;
    for (uint64_t at = 0; next_record(info, &at, &record);) {
        if (record.attribute == ATTR_MAX_THREADS ||
            record.attribute == ATTR_REQUIRED_THREADS)
            out->max_threads = thread_count(record.payload);
        read_clusters(&out->clusters, &record);
        if (record.attribute == ATTR_ANNOTATIONS)
            add_spills(resources, record.payload, code);
    }
}

// 90 for sm_90a: in the flags' second byte, before CUDA 13 (ABI version 8) in their
// first.
static uint32_t architecture(const struct elf *elf)
{
    unsigned shift = elf->header.e_ident[EI_ABIVERSION] >= 8 ? 8 : 0;
    return elf->header.e_flags >> shift & 0xff;
}

static int32_t static_shared(const struct elf *elf, const char *entry)
{
    Elf64_Shdr shared;
    if (!kernel_section(elf, &shared, ".nv.shared", entry)) return 0;
    uint64_t bytes = shared.sh_size;
    if (architecture(elf) >= 90 && bytes >= RESERVED_SHARED_BYTES)
        bytes -= RESERVED_SHARED_BYTES;
    return bytes <= INT32_MAX ? (int32_t)bytes : -1;
}

bool hone_cubin_read(struct hone_cubin_kernel *out, const void *data, size_t size,
                     const char *entry)
{
    *out = (struct hone_cubin_kernel){.resources = HONE_RESOURCES_UNKNOWN,
                                      .max_threads = -1};
    struct elf elf;
    Elf64_Shdr code, info;
    uint32_t symbol;
    if (!elf_open(&elf, data, size) || !find_symbol(&elf, &symbol, entry)) return false;
    if (!kernel_section(&elf, &code, ".text", entry)) return false;
    if (find_section(&elf, &info, ".nv.info"))
        read_global_info(out, contents(&elf, &info), symbol);
    if (kernel_section(&elf, &info, ".nv.info", entry))
        read_kernel_info(out, contents(&elf, &info), contents(&elf, &code));
    out->resources.static_shared_bytes = static_shared(&elf, entry);
    return true;
}

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

void hone_cubin_hash(char out[HONE_HASH_TEXT], const void *data, size_t size)
{
    out[0] = '\0';
    struct elf elf;
    if (!elf_open(&elf, data, size)) return;
    struct hone_hash hash;
    hone_hash_begin(&hash);
    Elf64_Shdr section;
    for (uint64_t i = 0; section_header(&elf, &section, i); i++) {
        const char *name = string_at(elf.names, section.sh_name);
        bool decides = section.sh_flags & SHF_ALLOC || starts_with(name, ".nv.info") ||
                       starts_with(name, ".rela.text");
        if (!decides) continue;
        struct slice bytes = contents(&elf, &section);
        hone_hash_text(&hash, name);
        hone_hash_part(&hash, &section.sh_size, sizeof section.sh_size);
        hone_hash_part(&hash, bytes.data, bytes.size);
    }
    hone_hash_end(&hash, out);
}
