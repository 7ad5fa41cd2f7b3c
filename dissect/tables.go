package dissect

// everydayTables are the tables that the packets of every capture go through. Looking up a number in them is worth
// being faster than maps are.
var everydayTables = [...]Table{TableRoot, TableLink, TableEther, TableLLC, TableIP, TableUDP, TableTCP}

// everyday is the position of a table in everydayTables, or -1. The compiler makes a few comparisons of numbers of it.
func (t Table) everyday() int {
	switch t {
	case TableRoot:
		return 0
	case TableLink:
		return 1
	case TableEther:
		return 2
	case TableLLC:
		return 3
	case TableIP:
		return 4
	case TableUDP:
		return 5
	case TableTCP:
		return 6
	}
	return -1
}

// ports holds what is attached to the numbers of one table: pages of 256 neighbouring numbers, only those that have
// any, with places in lists. Numbers beyond 16 bits are left to the map.
type ports struct {
	pages [256]*[256]uint16
	lists [][]uint16 // the first is that of numbers to which nothing is attached
}

func (p *ports) set(v uint32, plugins []uint16) {
	if v > 0xffff {
		return
	}
	if p.lists == nil {
		p.lists = make([][]uint16, 1)
	}
	if p.pages[v>>8] == nil {
		p.pages[v>>8] = new([256]uint16)
	}
	at := &p.pages[v>>8][v&0xff]
	if *at == 0 {
		*at = uint16(len(p.lists))
		p.lists = append(p.lists, nil)
	}
	p.lists[*at] = plugins
}

// attached are the plugins attached to a number of a table, in the order of their registration.
func (r *Registry) attached(t Table, v uint32) []uint16 {
	if n := t.everyday(); n >= 0 && v <= 0xffff {
		ports := &r.quick[n]
		if page := ports.pages[v>>8]; page != nil {
			return ports.lists[page[v&0xff]]
		}
		return nil
	}
	return r.tables[t][v]
}
